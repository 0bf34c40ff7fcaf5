import { ActionIcon } from '@mantine/core';
import { Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useShortcut } from '@/components/use-shortcut';
import classes from './search-entry.module.css';

/** Apple keyboards have ⌘ where others have Ctrl. */
const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Opens the search: a field in the header, a button on a phone, Ctrl K or ⌘ K anywhere, and `/` where nothing is typed. */
export function SearchEntry({ isOpen, onOpen }: { isOpen: boolean; onOpen: () => void }) {
  const { t } = useTranslation('shell');
  useShortcut('mod+k', onOpen, { whileTyping: true });
  useShortcut('/', onOpen);
  const about = { 'data-tour': 'search', 'aria-haspopup': 'dialog', 'aria-expanded': isOpen, onClick: onOpen } as const;
  return (
    <>
      <button type="button" className={classes.field} aria-keyshortcuts="Control+K Meta+K /" {...about}>
        <Search size={16} aria-hidden />
        <span className={classes.words}>{t('search.field')}</span>
        <kbd className={classes.keys} aria-hidden>
          {IS_APPLE ? '⌘ K' : 'Ctrl K'}
        </kbd>
      </button>
      <span className={classes.button}>
        <ActionIcon size={44} aria-label={t('search.field')} {...about}>
          <Search size={20} aria-hidden />
        </ActionIcon>
      </span>
    </>
  );
}
