import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import type { DataColumn } from '@/components/data-table/data-table.types';
import { serviceNames, shownStatus } from '@/features/guests/ui/guest-facts.utils';
import { GuestName } from '@/features/guests/ui/guest-name';
import { useCatalogNames } from '@/components/use-catalog-names';
import { formatDateTime } from '@/lib/time';
import { type HistoryList, timeIn, timeOut } from '../history.utils';
import classes from './history.module.css';

type Guest = Schemas['Guest'];

/** The columns of a list of the history (spec B section 2); times are in the site's time zone. */
export function useHistoryColumns(list: HistoryList, timeZone: string): readonly DataColumn<Guest>[] {
  const { t, i18n } = useTranslation(['history', 'guests']);
  const names = useCatalogNames();
  return useMemo(() => {
    const time = (instant: string | null) =>
      instant === null ? (
        '–'
      ) : (
        <time dateTime={instant} className={classes.time}>
          {formatDateTime(instant, i18n.language, timeZone)}
        </time>
      );
    return [
      { id: 'timeIn', header: t('column.timeIn'), cell: (guest) => time(timeIn(guest)), width: '17%' },
      { id: 'timeOut', header: t(`column.timeOut.${list}`), cell: (guest) => time(timeOut(guest)), width: '17%' },
      {
        id: 'services',
        header: t('column.services'),
        cell: (guest) => serviceNames(guest, names.service),
      },
      {
        id: 'name',
        header: t('column.name'),
        cell: (guest) => <GuestName guest={guest} />,
        isTitle: true,
        width: '17%',
      },
      {
        id: 'feedback',
        header: t('column.feedback'),
        cell: (guest) => {
          if (guest.cancelledAt !== null) return t('guests:timeline.cancelled');
          if (shownStatus(guest) === 'merged') return t('guests:status.merged');
          const text = reasonAndFeedback(guest, t('guests:status.noShow'));
          return text === '' ? (
            '–'
          ) : (
            <span className={classes.clamped} title={text}>
              {text}
            </span>
          );
        },
        width: '17%',
      },
      { id: 'gender', header: t('column.gender'), cell: (guest) => t(`guests:gender.${guest.gender}`), width: '9%' },
    ];
  }, [t, i18n.language, names, list, timeZone]);
}

/** What was given for the end of a stay: that the guest did not come, the reason from the list, the free text. */
function reasonAndFeedback({ noShowAt, reasonName, feedback }: Schemas['Guest'], noShow: string): string {
  return [noShowAt !== null && noShow, reasonName, feedback].filter(Boolean).join(': ');
}
