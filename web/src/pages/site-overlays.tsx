import { lazy, Suspense } from 'react';
import type { Schemas } from '@/api/client';
import { useCan } from '@/access/use-user';
import { hasFreePlace } from '@/features/reservations/reservations.utils';
import { loadBoard } from './load-board';
import type { ChangeSearch, SiteSearch } from './use-site-search';

const MoveGuestsBoard = lazy(loadBoard);
const NewGuestDialog = lazy(() =>
  import('@/features/reservations/components/new-guest-dialog').then((module) => ({ default: module.NewGuestDialog })),
);

/** Whether the board stands over a site screen: the address asks for it, and the user may move guests. */
export function useIsBoardOpen(site: Schemas['SiteDetails'], search: SiteSearch): boolean {
  return useCan('guest.reassign', { site }) && search.open === 'board';
}

interface SiteOverlaysProps {
  site: Schemas['SiteDetails'];
  search: SiteSearch;
  onSearch: ChangeSearch;
}

/** The bed board and the form for a new guest over a site screen, each loaded when it is first opened. */
export function SiteOverlays({ site, search, onSearch }: SiteOverlaysProps) {
  const isBoardOpen = useIsBoardOpen(site, search);
  const canAdd = useCan('guest.add', { site });
  const close = () => onSearch({ open: undefined }, { replace: true });
  return (
    <Suspense fallback={null}>
      {isBoardOpen ? <MoveGuestsBoard siteId={site.id} opened onClose={close} /> : null}
      {search.open === 'new-guest' && canAdd ? (
        <NewGuestDialog
          site={site}
          isFull={!hasFreePlace(site.counts)}
          onClose={close}
          onAdded={() => onSearch({ open: undefined, tab: 'reservations' }, { replace: true })}
        />
      ) : null}
    </Suspense>
  );
}
