import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { shownBedState } from '../ui/bed-tile.utils';
import { type BedTexts, useBedTexts } from '../ui/use-bed-texts';
import { PrintFrame } from '@/components/print/print-sheet';
import type { Bed, BedFilter, Room } from '../houses.utils';
import classes from './print-report.module.css';

/** Names and days stay on one line; why a bed is disabled may take more. */
const WIDTHS = ['17%', '14%', '32%', '25%', '12%'];

interface PrintReportProps {
  readonly site: Pick<Schemas['SiteDetails'], 'name' | 'organizationName' | 'timeZone' | 'counts'>;
  readonly rooms: readonly Room[];
  readonly filter: BedFilter;
  /** The type of the beds that are listed; all without it. */
  readonly type: Bed['type'] | undefined;
  readonly printedAt: Date;
}

/** The bed report as printed pages. Its totals are those of the whole site, whichever beds it lists. */
export function PrintReport({ site, rooms, filter, type, printedAt }: PrintReportProps) {
  const { t } = useTranslation('houses');
  const texts = useBedTexts();
  const { available, vacant, pending: held, occupied, disabled } = site.counts;
  const whole = t('report.site', { available, vacant, held, occupied, disabled });
  const listed = [t(`filter.${filter}`), type && texts.type(type)].filter(Boolean).join(', ');
  const facts = [whole, t('report.listed', { beds: listed })];
  const headers = [t('report.bed'), t('report.type'), t('report.state'), t('report.guest'), t('report.days')];
  return (
    <PrintFrame
      title={t('report.title')}
      site={site}
      facts={facts}
      printedAt={printedAt}
      headers={headers}
      widths={WIDTHS}
    >
      {rooms.map((room) => (
        <tbody key={room.id}>
          <tr className={classes.house}>
            <th scope="rowgroup" colSpan={headers.length}>
              {room.name}, {t('vacantOf', { vacant: room.vacantBedsCount, beds: room.bedsCount })}
            </th>
          </tr>
          {room.beds.map((bed) => (
            <tr key={bed.id}>
              <td>{bed.name}</td>
              <td>{texts.type(bed.type)}</td>
              <td>{[texts.state(shownBedState(bed)), ...leavesOf(bed, texts), ...outageOf(bed, texts)].join(', ')}</td>
              <td>{bed.guest?.displayName}</td>
              <td>{bed.guest && !bed.guest.isArriving ? texts.days(bed.guest.daysStayed) : null}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </PrintFrame>
  );
}

/** When the guest is expected to leave. */
function leavesOf({ guest }: Bed, texts: BedTexts): string[] {
  return guest?.expectedDeparture ? [texts.leaves(guest.expectedDeparture)] : [];
}

/** What a disabled bed waits for, why, and when it is expected back. */
function outageOf({ disabledKind, disabledReason, expectedBack, isOverdue }: Bed, texts: BedTexts): string[] {
  const day = expectedBack && texts.expectedBack(expectedBack, isOverdue);
  return [disabledKind && texts.outage(disabledKind, disabledReason), day].filter((text) => typeof text === 'string');
}
