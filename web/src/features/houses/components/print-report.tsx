import { useEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { bedState } from '@/components/bed-tile/bed-tile.utils';
import { type BedTexts, useBedTexts } from '@/components/bed-tile/use-bed-texts';
import { serverNow } from '@/lib/clock';
import { formatDateTime } from '@/lib/time';
import type { Bed, BedFilter, Room } from '../houses.utils';
import classes from './print-report.module.css';

/** The report stands in the page only while it is printed, by the button or by the browser's own menu. */
export function usePrintReport() {
  const [printedAt, setPrintedAt] = useState<Date | null>(null);
  useEffect(() => {
    const handleBefore = () => flushSync(() => setPrintedAt(new Date(serverNow())));
    const handleAfter = () => setPrintedAt(null);
    window.addEventListener('beforeprint', handleBefore);
    window.addEventListener('afterprint', handleAfter);
    return () => {
      window.removeEventListener('beforeprint', handleBefore);
      window.removeEventListener('afterprint', handleAfter);
    };
  }, []);
  return { printedAt, print: () => window.print() };
}

interface PrintReportProps {
  readonly site: Pick<Schemas['SiteDetails'], 'name' | 'organizationName' | 'timeZone' | 'counts'>;
  readonly rooms: readonly Room[];
  readonly filter: BedFilter;
  readonly printedAt: Date;
}

/**
 * The bed report: black on white. It is one table, because the browser repeats a table's head on each page: site, time,
 * who printed it and the notice of 42 CFR part 2 stand on every sheet.
 */
export function PrintReport({ site, rooms, filter, printedAt }: PrintReportProps) {
  const { t, i18n } = useTranslation('houses');
  const texts = useBedTexts();
  const user = useUser();
  // Of the whole site, whichever beds the report lists.
  const { vacant, occupied, disabled } = site.counts;
  const by = [user.firstName, user.lastName].filter(Boolean).join(' ') || user.email;
  const time = formatDateTime(printedAt, i18n.language, site.timeZone);
  return createPortal(
    <div className={classes.report} data-print-report>
      <table className={classes.table}>
        <thead>
          <tr>
            <th colSpan={5} className={classes.head}>
              <div className={classes.title}>
                <span>
                  {t('report.title')}: {site.name}
                </span>
                <span>{t('report.confidential')}</span>
              </div>
              <div className={classes.facts}>
                <span>
                  {site.organizationName} · {t('report.site', { vacant, occupied, disabled })}
                </span>
                <span>{t('report.printed', { time, by })}</span>
              </div>
              <div className={classes.facts}>
                <span>{t('report.listed', { beds: t(`filter.${filter}`) })}</span>
              </div>
              <div className={classes.notice}>{t('report.notice')}</div>
            </th>
          </tr>
          <tr className={classes.columns}>
            <th scope="col">{t('report.bed')}</th>
            <th scope="col">{t('report.type')}</th>
            <th scope="col">{t('report.state')}</th>
            <th scope="col">{t('report.guest')}</th>
            <th scope="col">{t('report.days')}</th>
          </tr>
        </thead>
        {rooms.map((room) => (
          <tbody key={room.id}>
            <tr className={classes.house}>
              <th scope="rowgroup" colSpan={5}>
                {room.name}, {t('vacantOf', { vacant: room.vacantBedsCount, beds: room.bedsCount })}
              </th>
            </tr>
            {room.beds.map((bed) => (
              <tr key={bed.id}>
                <td>{bed.name}</td>
                <td>{texts.type(bed.type)}</td>
                <td>{[texts.state(bedState(bed)), ...outageOf(bed, texts)].join(', ')}</td>
                <td>{bed.guest?.displayName}</td>
                <td>{bed.guest && texts.days(bed.guest.daysStayed)}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>,
    document.body,
  );
}

/** Why a bed is disabled, and when it is expected back. */
function outageOf({ disabledReason, expectedBack, isOverdue }: Bed, texts: BedTexts): string[] {
  const day = expectedBack && texts.expectedBack(expectedBack, isOverdue);
  return [disabledReason, day].filter((text) => typeof text === 'string');
}
