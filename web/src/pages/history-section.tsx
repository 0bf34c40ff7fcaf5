import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { lazyDialog } from '@/components/lazy-named';
import type { ChangeSearch } from '@/components/use-change-search';
import { useLoadAhead } from '@/components/use-load-ahead';
import { guestQuery } from '@/features/guests/api/guest-query';
import { useSiteGuests } from '@/features/guests/api/use-site-guests';
import { GuestHistory } from '@/features/history/components/guest-history';
import type { PanelDecision } from '@/features/history/components/guest-panel';
import { HistoryDialog } from '@/features/history/components/history-dialog';
import type { HistorySearch } from '@/features/history/history-search';

const loadDecisionDialog = () => import('@/features/guests/components/decision-dialog');
const DecisionDialog = lazyDialog(loadDecisionDialog, 'DecisionDialog');

const loadGuestPanel = () => import('@/features/history/components/guest-panel');
const GuestPanel = lazyDialog(loadGuestPanel, 'GuestPanel');

const loadDialogs = () => Promise.all([loadGuestPanel(), loadDecisionDialog()]);

interface HistorySectionProps {
  site: Schemas['SiteDetails'];
  search: HistorySearch;
  onSearch: ChangeSearch<HistorySearch>;
}

/** The history of a site with what opens from it: the side panel of a guest who is here, the details of any other. */
export function HistorySection({ site, search, onSearch }: HistorySectionProps) {
  const [decision, setDecision] = useState<PanelDecision | null>(null);
  useLoadAhead(loadDialogs);
  const hasPanel = useCan('guest.reassign', { site });
  const opened = useOpenedGuest(site.id, search.panel ?? search.guest);
  const close = () => onSearch({ panel: undefined, guest: undefined }, { replace: true });
  const isInPanel = hasPanel && search.panel !== undefined;
  return (
    <>
      <GuestHistory site={site} search={search} onSearch={onSearch} />
      <GuestPanel subject={isInPanel ? opened : undefined} site={site} onDecide={setDecision} onClose={close} />
      <HistoryDialog subject={isInPanel ? undefined : opened} site={site} onClose={close} />
      <DecisionDialog
        subject={decision?.guest ?? null}
        kind={decision?.kind ?? 'discharge'}
        feedback={decision?.feedback ?? ''}
        onClose={() => setDecision(null)}
        onDone={close}
      />
    </>
  );
}

/**
 * The guest whose id the address holds. One who is pending or has a bed stands in the list that live events refresh; any
 * other is asked for, which is on record.
 */
function useOpenedGuest(siteId: string, guestId: string | undefined): Schemas['Guest'] | undefined {
  const { data: guests } = useSiteGuests(siteId);
  const listed = guests?.find(({ id }) => id === guestId);
  const isAsked = guestId !== undefined && guests !== undefined && listed === undefined;
  const { data: asked } = useQuery({ ...guestQuery(guestId ?? ''), enabled: isAsked });
  if (guestId === undefined) return undefined;
  return listed ?? (isAsked && asked?.siteId === siteId ? asked : undefined);
}
