import { useState } from 'react';
import { lazyDialog } from '@/components/lazy-named';
import { useLoadAhead } from '@/components/use-load-ahead';
import type { NavigationLink } from '@/features/shell/navigation';
import { SearchEntry } from '@/features/search/components/search-entry';
import { useTypedAhead } from '@/features/search/ui/use-typed-ahead';
import { loadTexts } from '@/i18n/i18n';

const TEXTS = ['search', 'guests', 'users'] as const;
const load = () => import('./search-dialog');
const loadWithTexts = () => Promise.all([load(), loadTexts(...TEXTS)]);
const SearchDialog = lazyDialog(load, 'SearchDialog', { texts: TEXTS });

/** The search of the header over everything the user may see; its code loads after the screen. */
export function SearchTools({ screens }: { screens: readonly NavigationLink[] }) {
  const [isOpen, setOpen] = useState(false);
  const typedAhead = useTypedAhead(isOpen);
  useLoadAhead(loadWithTexts);
  return (
    <>
      <SearchEntry isOpen={isOpen} onOpen={() => setOpen(true)} />
      <SearchDialog subject={isOpen} screens={screens} typedAhead={typedAhead} onClose={() => setOpen(false)} />
    </>
  );
}
