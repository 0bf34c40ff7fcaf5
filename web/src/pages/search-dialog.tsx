import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { Dialog } from '@/components/dialog/dialog';
import type { DialogSubject } from '@/components/dialog/dialog-subject';
import { Palette } from '@/features/search/components/palette';
import type { NavigationLink } from '@/features/shell/navigation';
import { smallerThan } from '@/lib/breakpoints';

interface SearchDialogProps {
  subject: DialogSubject<true>;
  /** The screens of the sidebar. */
  screens: readonly NavigationLink[];
  /** What was typed before the dialog was there. */
  typedAhead: string;
  onClose: () => void;
}

/** Finds guests, sites, organizations, users and the screens of the sidebar. Nothing typed here reaches the address or the storage. */
export function SearchDialog({ subject, screens, typedAhead, onClose }: SearchDialogProps) {
  const { t } = useTranslation(['search', 'shell']);
  const isNarrow = useMediaQuery(smallerThan('narrow'), undefined, { getInitialValueInEffect: false });
  const pages = screens.map(({ key, path }) => ({ label: t(`shell:navigation.${key}`), path }));
  return (
    <Dialog subject={subject} title={t('title')} fullScreen={isNarrow} onClose={onClose}>
      <Palette pages={pages} typedAhead={typedAhead} onClose={onClose} />
    </Dialog>
  );
}
