import type { Schemas } from '@/api/client';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CircleCheck, FilterX } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/components/empty-state';
import { useHeldRows } from '@/components/use-held-rows';
import { NewReservations } from '@/features/reservations/ui/new-reservations';
import { formatNumber } from '@/lib/format';
import { ArrivingList } from './arriving-list';
import { FreeNow } from './free-now';
import { Moves } from './moves';
import { Section } from './section';
import { Soon } from './soon';
import classes from './today.module.css';
import { useFocusNext } from './use-focus-next';
import { type Decide, type FocusRequest, useFocusRow, WaitingList } from './waiting-list';

interface TodayViewProps extends Decide {
  today: Schemas['Today'];
  focus: FocusRequest | null;
  onNoShow: (guest: Schemas['Guest']) => void;
  onDischarge: (guest: Schemas['Guest']) => void;
  /** Ids of the guests whose reservations have just come. */
  newIds: ReadonlySet<string>;
  /** Filters leave something out, and this shows all again. */
  onClear?: (() => void) | undefined;
}

const ARRIVALS = ['ARRIVED', 'NO_SHOW'] as const;
const DEPARTURES = ['DISCHARGED'] as const;

/** The whole of Today: what waits, what is free, what happened, what comes. */
export function TodayView({ today, focus, newIds, onNoShow, onDischarge, onClear, ...decide }: TodayViewProps) {
  const { t, i18n } = useTranslation('today');
  const id = useId();
  const root = useHeldRows<HTMLDivElement>();
  useFocusRow(focus, today.waiting, `${id}-waiting`);
  const { waiting, waitingTotal, arriving, sites, sitesTotal, moves, hasMoreMoves, soon, soonTotal } = today;
  // The part goes with its last row.
  useFocusNext(arriving, { headingId: `${id}-arriving`, endedBy: ARRIVALS, otherwise: `${id}-waiting` });
  useFocusNext(soon, { headingId: `${id}-soon`, endedBy: DEPARTURES });
  const number = (value: number) => formatNumber(value, i18n.language);
  const rest = (shown: number, total: number) =>
    total > shown ? <p className={classes.rest}>{t('rest', { shown: number(shown), total: number(total) })}</p> : null;
  const clear = onClear ? <ClearFilters onClear={onClear} /> : null;
  return (
    <div ref={root} className={classes.page}>
      <Section id={`${id}-waiting`} part="waiting" title={t('waiting.title', { count: waitingTotal })}>
        <NewReservations guests={waiting.map(({ guest }) => guest)} newIds={newIds} />
        {waiting.length === 0 ? (
          <EmptyState
            icon={<CircleCheck size={32} strokeWidth={1.5} />}
            title={t('waiting.empty')}
            hint={onClear ? t('filter.hint') : t('waiting.emptyHint')}
            action={clear}
          />
        ) : (
          <WaitingList waiting={waiting} headingId={`${id}-waiting`} newIds={newIds} {...decide} />
        )}
        {rest(waiting.length, waitingTotal)}
        {arriving.length === 0 ? null : (
          <Section id={`${id}-arriving`} part="arriving" level={3} title={t('arriving.title')}>
            <ArrivingList arriving={arriving} headingId={`${id}-arriving`} onNoShow={onNoShow} />
          </Section>
        )}
      </Section>
      <Section id={`${id}-free`} part="free" title={t('free.title')}>
        {sites.length === 0 ? (
          onClear ? (
            <EmptyState title={t('free.none')} hint={t('filter.hint')} />
          ) : (
            <EmptyState title={t('free.noSites')} hint={t('free.noSitesHint')} />
          )
        ) : (
          <FreeNow sites={sites} headingId={`${id}-free`} />
        )}
        {rest(sites.length, sitesTotal)}
      </Section>
      <Section id={`${id}-moves`} part="moves" title={t('moves.title')}>
        {moves.length === 0 ? (
          <p className={classes.nothing}>{t(onClear ? 'filter.hint' : 'moves.empty')}</p>
        ) : (
          <Moves moves={moves} headingId={`${id}-moves`} />
        )}
        {hasMoreMoves ? (
          <p className={classes.rest}>
            {t('moves.more', { shown: number(moves.length) })}{' '}
            <Link to="/history" className={classes.link} data-touch>
              {t('moves.history')}
            </Link>
          </p>
        ) : null}
      </Section>
      <Section id={`${id}-soon`} part="soon" title={t('soon.title')}>
        {soon.length === 0 ? (
          <p className={classes.nothing}>{t(onClear ? 'filter.hint' : 'soon.empty')}</p>
        ) : (
          <Soon stays={soon} headingId={`${id}-soon`} onDischarge={onDischarge} />
        )}
        {rest(soon.length, soonTotal)}
      </Section>
    </div>
  );
}

/** Shows everything again. */
export function ClearFilters({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation('today');
  return (
    <Button variant="default" leftSection={<FilterX size={18} aria-hidden />} onClick={onClear}>
      {t('filter.clear')}
    </Button>
  );
}
