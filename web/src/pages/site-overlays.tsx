import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useCan } from '@/access/use-user';
import { lazyDialog } from '@/components/lazy-named';
import type { ChangeSearch } from '@/components/use-change-search';
import { useLoadAhead } from '@/components/use-load-ahead';
import { loadBoard } from '@/features/bed-board/load-board';
import { NewGuestButton } from '@/features/reservations/components/new-guest-button';
import { usePlaceGuest } from '@/features/guests/ui/use-place-guest';
import type { SiteSearch } from './use-site-search';

const MoveGuestsBoard = lazyDialog(loadBoard, 'MoveGuestsBoard', { texts: ['board'] });
const loadGuestDialog = () => import('./guest-or-waiting-dialog');
const GuestOrWaitingDialog = lazyDialog(loadGuestDialog, 'GuestOrWaitingDialog');
const loadBedPanel = () => import('./bed-panel');
const BedPanel = lazyDialog(loadBedPanel, 'BedPanel');
const loadBoth = () => Promise.all([loadGuestDialog(), loadBedPanel()]);

/** Whether the board stands over a site screen: the address asks for it, and the user may move guests. */
export function useIsBoardOpen(site: Schemas['SiteDetails'], search: SiteSearch): boolean {
  return useCan('guest.reassign', { site }) && search.open === 'board';
}

interface SiteOverlaysProps {
  site: Schemas['SiteDetails'];
  search: SiteSearch;
  onSearch: ChangeSearch<SiteSearch & { tab: 'reservations' }>;
}

/** The bed board and the form for a new guest over a site screen, each loaded when it is first opened. */
export function SiteOverlays({ site, search, onSearch }: SiteOverlaysProps) {
  const { t } = useTranslation('reservations');
  const isBoardOpen = useIsBoardOpen(site, search);
  const canAdd = useCan('guest.add', { site });
  const placeGuest = usePlaceGuest();
  const close = () => onSearch({ open: undefined }, { replace: true });
  useLoadAhead(canAdd ? loadBoth : loadBedPanel);
  return (
    <>
      <BedPanel
        // The form for a new guest covers it, and leads to this bed.
        subject={search.open === 'new-guest' ? undefined : search.bed}
        site={site}
        onClose={() => onSearch({ bed: undefined }, { replace: true })}
        newGuest={
          <NewGuestButton
            site={site}
            label={t('newGuest')}
            variant="default"
            onOpen={() => onSearch({ open: 'new-guest' }, { replace: true })}
          />
        }
      />
      <MoveGuestsBoard subject={isBoardOpen ? site.id : null} onClose={close} />
      <GuestOrWaitingDialog
        subject={search.open === 'new-guest' && canAdd}
        site={site}
        startsAs="guest"
        onClose={close}
        onAdded={(guest, leadsTo) => {
          // The way back from the beds is the site, not the form.
          if (leadsTo === 'beds') placeGuest(guest, { replace: true, bedId: search.bed });
          else onSearch({ open: undefined, bed: undefined, tab: 'reservations' }, { replace: true });
        }}
      />
    </>
  );
}
