import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { useDeleteSite } from '../api/delete-site';

interface DeleteSiteProps {
  subject: { id: string; name: string } | undefined;
  /** The site's organization pays for it. */
  isCommercial: boolean;
  onClose: () => void;
}

/** Asks before a site goes (spec A section 2, Organization detail); it takes the same word as on the page of the site. */
export function DeleteSite({ subject, isCommercial, onClose }: DeleteSiteProps) {
  const { t } = useTranslation('sites');
  const remove = useDeleteSite();
  return (
    <ConfirmMutation
      danger
      removes
      subject={subject}
      title={({ name }) => t('deleteOne.title', { name })}
      confirmLabel={t('deleteOne.confirm')}
      needsWord
      run={({ id }) => remove.mutateAsync(id)}
      done={({ name }) => t('deleteOne.done', { name })}
      onClose={onClose}
    >
      <Text>{t('deleteOne.hint')}</Text>
      {isCommercial ? <Text>{t('delete.subscription')}</Text> : null}
    </ConfirmMutation>
  );
}
