import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { PhoneLink } from '@/components/contact-link';
import type { DataColumn } from '@/components/data-table/data-table.types';
import { CommandMark } from '@/features/guests/ui/command-mark';
import { methodOf, serviceNames } from '@/features/guests/ui/guest-facts.utils';
import { GuestName } from '@/features/guests/ui/guest-name';
import { HoldLeft } from '@/features/guests/ui/hold-left';
import { useCatalogNames } from '@/components/use-catalog-names';
import { serverNow } from '@/lib/clock';
import { shortDateTime } from '../reservations.utils';
import classes from './reservations.module.css';

type Guest = Schemas['Guest'];

/**
 * The columns of the reservations table: Phone not for staff; MediCal at non-commercial sites, Insurance Information at
 * commercial ones (spec B section 2). What is left of the hold stands below the date, and what is not sent
 * or not confirmed yet.
 */
export function useReservationColumns(
  site: Pick<Schemas['SiteDetails'], 'timeZone' | 'isCommercial'>,
  canSeeContacts: boolean,
): readonly DataColumn<Guest>[] {
  const { t, i18n } = useTranslation(['reservations', 'common']);
  const names = useCatalogNames();
  const { timeZone, isCommercial } = site;
  return useMemo(() => {
    const phone: DataColumn<Guest> = {
      id: 'phone',
      header: t('column.phone'),
      cell: (guest) => <span className={classes.nowrap}>{guest.phone ? <PhoneLink phone={guest.phone} /> : '–'}</span>,
    };
    const mediCal: DataColumn<Guest> = {
      id: 'mediCal',
      header: t('column.mediCal'),
      cell: (guest) => (guest.mediCalChoice ? names.payment(guest.mediCalChoice) : t('common:notAvailable')),
    };
    const insurance: DataColumn<Guest> = {
      id: 'insurance',
      header: t('column.insurance'),
      cell: (guest) => <Insurance guest={guest} />,
      width: '20%',
    };
    return [
      {
        id: 'name',
        header: t('column.name'),
        cell: (guest) => <GuestName guest={guest} />,
        sortValue: (guest) => guest.displayName,
        isTitle: true,
      },
      ...(canSeeContacts ? [phone] : []),
      {
        id: 'date',
        header: t('column.date'),
        cell: (guest) => (
          <span className={classes.lines}>
            <time dateTime={guest.createdAt} className={classes.nowrap}>
              {shortDateTime(guest.createdAt, i18n.language, timeZone, serverNow())}
            </time>
            {guest.expiresAt === null ? null : <HoldLeft expiresAt={guest.expiresAt} />}
            <CommandMark guestId={guest.id} />
          </span>
        ),
        sortValue: (guest) => Date.parse(guest.createdAt),
      },
      ...(isCommercial ? [] : [mediCal]),
      {
        id: 'services',
        header: t('column.services'),
        width: '24%',
        cell: (guest) => serviceNames(guest, names.service),
      },
      ...(isCommercial ? [insurance] : []),
    ];
  }, [t, names, i18n.language, timeZone, isCommercial, canSeeContacts]);
}

/** Payment type, insurer, policy and group number; staff get the first two only. */
function Insurance({ guest }: { guest: Guest }) {
  const { t } = useTranslation(['reservations', 'common']);
  const catalog = useCatalogNames();
  const method = guest.organizationReservationPaymentMethod;
  const numbers = [
    guest.policyNumber ? t('policy', { number: guest.policyNumber }) : null,
    guest.groupNumber ? t('group', { number: guest.groupNumber }) : null,
  ].filter((text) => text !== null);
  const names = [method && catalog.method(methodOf(method)), guest.insuranceCompanyName].filter(Boolean);
  return (
    <span className={classes.lines}>
      <span>{names.length > 0 ? names.join(' · ') : t('common:notAvailable')}</span>
      {numbers.length > 0 ? (
        <span className={classes.numbers}>
          {numbers.map((number) => (
            <span key={number}>{number}</span>
          ))}
        </span>
      ) : null}
    </span>
  );
}
