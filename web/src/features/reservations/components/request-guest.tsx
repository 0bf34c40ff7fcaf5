import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { FactList } from '@/components/fact-list';
import { EarlierOfGuest } from '@/features/guests/ui/earlier-reservations';
import { GuestStatusBadge } from '@/features/guests/ui/guest-status';
import { fullName } from '@/features/guests/ui/guest-facts.utils';
import { useGuestFacts } from '@/features/guests/ui/use-guest-facts';
import { smallerThan } from '@/lib/breakpoints';
import classes from './request.module.css';

/** Who is to get a bed, with what matters for the choice. */
export function RequestGuest({ guest, site }: { guest: Schemas['Guest']; site: Schemas['SiteDetails'] }) {
  const { t } = useTranslation(['reservations', 'guests']);
  const facts = useGuestFacts(guest, site);
  // On a phone the beds come soon; the rest of the guest is one press away.
  const isNarrow = useMediaQuery(smallerThan('narrow'), undefined, { getInitialValueInEffect: false });
  return (
    <section className={classes.panel} aria-labelledby="request-guest">
      <div className={classes.guestHead}>
        <h2 id="request-guest" className={classes.heading}>
          {fullName(guest)}
        </h2>
        <GuestStatusBadge guest={guest} />
      </div>
      {guest.room && guest.bed ? (
        <p className={classes.current}>
          {t('request.currentBed', { place: t('guests:place', { room: guest.room.name, bed: guest.bed.name }) })}
        </p>
      ) : null}
      <FactList
        facts={[
          facts.gender,
          facts.age,
          facts.typeOfClient,
          facts.services,
          guest.status === 'pending' ? facts.expiry : facts.days,
        ]}
      />
      {guest.status === 'pending' ? <EarlierOfGuest guest={guest} timeZone={site.timeZone} /> : null}
      <details className={classes.more} open={!isNarrow}>
        <summary data-touch>{t('request.more')}</summary>
        <FactList
          facts={[facts.code, ...facts.payment, facts.phone, facts.email, facts.location, facts.reservationDate]}
        />
      </details>
    </section>
  );
}
