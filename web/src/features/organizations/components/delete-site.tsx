import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { useDeleteSite } from '@/features/sites/api/delete-site';

interface DeleteSiteProps {
  subject: { id: string; name: string } | undefined;
  onClose: () => void;
}

/** Asks before a site goes (spec A section 2, Organization detail). */
export function DeleteSite({ subject, onClose }: DeleteSiteProps) {
  const { t } = useTranslation('organizations');
  const remove = useDeleteSite();
  return (
    <ConfirmMutation
      danger
      removes
      subject={subject}
      title={({ name }) => t('deleteSite.title', { name })}
      confirmLabel={t('deleteSite.confirm')}
      run={({ id }) => remove.mutateAsync(id)}
      done={({ name }) => t('done.siteDeleted', { name })}
      onClose={onClose}
    >
      {({ name }) => (
        <>
          <Text>{t('deleteSite.text', { name })}</Text>
          <Text>{t('deleteSite.hint')}</Text>
        </>
      )}
    </ConfirmMutation>
  );
}
