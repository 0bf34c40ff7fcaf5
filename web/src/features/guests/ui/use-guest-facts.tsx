import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { EmailLink, PhoneLink } from '@/components/contact-link';
import { useCatalogNames } from '@/components/use-catalog-names';
import { serverNow } from '@/lib/clock';
import { formatDateTime, formatShortDay, isoDay } from '@/lib/time';
import type { Fact } from '@/components/fact-list';
import { hasCome, methodOf, serviceNames, shownStatus } from './guest-facts.utils';
import { HoldLeft } from './hold-left';

/** Every fact of a guest in words; screens choose which they show. Times are in the site's time zone. */
export function useGuestFacts(
  guest: Schemas['Guest'],
  site: Pick<Schemas['SiteDetails'], 'timeZone' | 'isCommercial'>,
) {
  const { t, i18n } = useTranslation(['guests', 'common']);
  const names = useCatalogNames();
  const time = (instant: string | null) =>
    instant === null ? null : formatDateTime(instant, i18n.language, site.timeZone);
  const fact = (label: Fact['label'], value: Fact['value']): Fact => ({ label, value });
  const day = guest.expectedDeparture;
  const departure =
    day &&
    t(day < isoDay(new Date(serverNow()), site.timeZone) ? 'departure.shouldHaveLeft' : 'departure.leaves', {
      day: formatShortDay(day, i18n.language),
    });
  const method = guest.organizationReservationPaymentMethod;
  const payment: Fact[] = site.isCommercial
    ? [
        fact(t('fact.payment'), method ? names.method(methodOf(method)) : t('common:notAvailable')),
        fact(t('fact.insurance'), guest.insuranceCompanyName),
        fact(t('fact.policyNumber'), guest.policyNumber),
        fact(t('fact.groupNumber'), guest.groupNumber),
      ]
    : [fact(t('fact.mediCal'), guest.mediCalChoice ? names.payment(guest.mediCalChoice) : t('common:notAvailable'))];
  return {
    code: fact(t('fact.code'), <span className="tabular">{guest.code}</span>),
    gender: fact(t('fact.gender'), t(`gender.${guest.gender}`)),
    age: fact(t('fact.age'), guest.age && names.service(guest.age)),
    typeOfClient: fact(t('fact.typeOfClient'), guest.typeOfClient && names.service(guest.typeOfClient)),
    phone: fact(t('fact.phone'), guest.phone ? <PhoneLink phone={guest.phone} /> : null),
    email: fact(t('fact.email'), guest.email ? <EmailLink email={guest.email} /> : null),
    location: fact(t('fact.location'), guest.location),
    services: fact(t('fact.services'), serviceNames(guest, names.service)),
    reservationDate: fact(t('fact.reservationDate'), time(guest.createdAt)),
    expiry: fact(
      t('fact.expiry'),
      guest.expiresAt === null ? (
        t('common:notAvailable')
      ) : (
        <>
          {time(guest.expiresAt)} <HoldLeft expiresAt={guest.expiresAt} />
        </>
      ),
    ),
    payment,
    days: fact(t('fact.days'), hasCome(guest) ? t('common:daysStayed', { count: guest.daysStayed }) : null),
    acceptedAt: fact(t('fact.acceptedAt'), time(guest.acceptedAt)),
    departure: fact(t('fact.departure'), departure),
    arrivedAt: fact(t('fact.arrivedAt'), time(guest.arrivedAt)),
    rejectedAt: fact(t(`fact.${endedBy(guest)}`), time(guest.rejectedAt)),
    dischargedAt: fact(t(guest.noShowAt === null ? 'fact.dischargedAt' : 'status.noShow'), time(guest.dischargedAt)),
    expiredAt: fact(t('fact.expiredAt'), time(guest.expiredAt)),
    reason: fact(t('fact.reason'), guest.reasonName),
    // The question about a no-show asks for a reason, in words of one's own.
    feedback: fact(t(guest.noShowAt === null ? 'fact.feedback' : 'fact.reason'), guest.feedback),
  };
}

/** What ended a reservation that waited: the fact that tells when. */
function endedBy(guest: Schemas['Guest']) {
  const status = shownStatus(guest);
  return status === 'cancelled' ? 'cancelledAt' : status === 'merged' ? 'mergedAt' : 'rejectedAt';
}
