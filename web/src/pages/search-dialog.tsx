import { useMediaQuery } from '@mantine/hooks';
import { useParams, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { Dialog } from '@/components/dialog/dialog';
import type { DialogSubject } from '@/components/dialog/dialog-subject';
import { Palette } from '@/features/search/components/palette';
import { navigationOf } from '@/features/shell/navigation';
import { smallerThan } from '@/lib/breakpoints';

interface SearchDialogProps {
  subject: DialogSubject<true>;
  onClose: () => void;
}

/** Finds guests, sites, organizations, users and the screens of the sidebar. Nothing typed here reaches the address or the storage. */
export function SearchDialog({ subject, onClose }: SearchDialogProps) {
  const { t } = useTranslation(['search', 'shell']);
  const user = useUser();
  const { organizationId } = useParams({ strict: false });
  const routes = Object.values(useRouter().routesById);
  const isNarrow = useMediaQuery(smallerThan('narrow'), undefined, { getInitialValueInEffect: false });
  const pages = navigationOf(user, routes, organizationId).map(({ key, path }) => ({
    label: t(`shell:navigation.${key}`),
    path,
  }));
  return (
    <Dialog subject={subject} title={t('title')} fullScreen={isNarrow} onClose={onClose}>
      <Palette pages={pages} onClose={onClose} />
    </Dialog>
  );
}
