import { useState } from 'react';
import { lazyDialog } from '@/components/lazy-named';
import type { NavigationLink } from '@/features/shell/navigation';
import { SearchEntry } from '@/features/search/components/search-entry';

const SearchDialog = lazyDialog(() => import('./search-dialog'), 'SearchDialog', {
  texts: ['search', 'guests', 'users'],
});

/** The search of the header over everything the user may see; its code loads when it is first opened. */
export function SearchTools({ screens }: { screens: readonly NavigationLink[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <SearchEntry isOpen={isOpen} onOpen={() => setOpen(true)} />
      <SearchDialog subject={isOpen} screens={screens} onClose={() => setOpen(false)} />
    </>
  );
}
