import { useEffect } from 'react';
import { CodeView } from './components/code-view';
import { FindFrame } from './components/find-frame';
import { ReservationView } from './components/reservation-view';
import { ReserveView } from './components/reserve-view';
import { SearchView } from './components/search-view';
import { SiteView } from './components/site-view';
import { go, useAddress } from './use-address';
import { useReservation } from './use-reservation';

/** The public page: search, reserve, see and cancel, by the public API alone (docs/decisions/0049). */
export function FindApp() {
  const { view } = useAddress();
  const reservation = useReservation();
  const { request } = reservation;
  const siteOfCode = view.name === 'code' ? view.siteId : undefined;
  const isLost = siteOfCode !== undefined && request?.siteId !== siteOfCode;
  useEffect(() => {
    // There is no request that a code could confirm, as after a reload without storage.
    if (isLost) go({ name: 'reserve', siteId: siteOfCode }, { replace: true });
  }, [isLost, siteOfCode]);
  return (
    <FindFrame>
      {view.name === 'search' ? <SearchView /> : null}
      {view.name === 'site' ? <SiteView key={view.siteId} siteId={view.siteId} /> : null}
      {view.name === 'reserve' ? (
        <ReserveView key={view.siteId} siteId={view.siteId} reservation={reservation} />
      ) : null}
      {view.name === 'code' && request && !isLost ? <CodeView request={request} reservation={reservation} /> : null}
      {view.name === 'reservation' ? <ReservationView reservation={reservation} /> : null}
    </FindFrame>
  );
}
