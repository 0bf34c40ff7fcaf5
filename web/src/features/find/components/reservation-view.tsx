import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  Ban,
  BedDouble,
  CircleAlert,
  CircleCheck,
  CircleX,
  CloudOff,
  Hourglass,
  RefreshCw,
  TimerOff,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConflictError, NetworkError } from '@/api/errors';
import { foreignLanguage } from '@/api/problem-words';
import { ErrorState } from '@/components/error-state';
import { PageSkeleton } from '@/components/skeletons';
import { StatusBadge, type StatusTone } from '@/components/status-badge';
import { useErrorText } from '@/components/use-error-text';
import { useNow } from '@/components/use-now';
import { serverNow } from '@/lib/clock';
import { formatWait } from '@/lib/format';
import { formatPhone } from '@/lib/phone';
import { formatClock, formatDateTime, formatMoment, isAllDay } from '@/lib/time';
import { cancelReservation } from '../api/public-changes';
import { type Proof, stateQuery } from '../api/public-queries';
import { go } from '../use-address';
import { useKnownOutcome } from '../use-known-outcome';
import type { Reservation } from '../use-reservation';
import { CardPictures } from './card-pictures';
import classes from './find.module.css';
import { Heading } from './heading';
import { LookupView } from './lookup-view';
import { Fact } from './site-view';
import { WaitingNotice } from './waiting-notice';

type State = Schemas['ReservationState'];

const LOOKS: Record<State['status'], { tone: StatusTone; icon: typeof BedDouble }> = {
  waiting: { tone: 'yellow', icon: Hourglass },
  accepted: { tone: 'green', icon: CircleCheck },
  declined: { tone: 'red', icon: CircleX },
  cancelled: { tone: 'gray', icon: Ban },
  expired: { tone: 'gray', icon: TimerOff },
  ended: { tone: 'gray', icon: BedDouble },
  merged: { tone: 'gray', icon: BedDouble },
};

/** The reservation that was just made or looked up; without one the form that looks one up. */
export function ReservationView({ reservation }: { reservation: Reservation }) {
  const { proof, madeCode, show } = reservation;
  if (!proof) return <LookupView madeCode={madeCode} onFound={show} />;
  return <Found key={proof.code} proof={proof} reservation={reservation} />;
}

interface FoundProps {
  proof: Proof;
  reservation: Reservation;
}

/** The states of a reservation to which pictures of the insurance card can be added. */
const TAKES_CARDS: readonly State['status'][] = ['waiting', 'accepted'];

function Found({ proof, reservation }: FoundProps) {
  const { t, i18n } = useTranslation('find');
  const { data, error, isFetching, refetch } = useQuery(stateQuery(proof));
  const { isNew, cards, noteSent, show } = reservation;
  const now = useNow(1000);
  const end = data?.expiresAt ? Date.parse(data.expiresAt) : undefined;
  const isOver = end !== undefined && now >= end;
  useEffect(() => {
    if (isOver) void refetch();
  }, [isOver, refetch]);
  return (
    <Stack gap="lg">
      {data ? (
        <ShownState state={data} proof={proof} isNew={isNew} now={now}>
          {cards && TAKES_CARDS.includes(data.status) ? (
            <CardPictures cards={cards} now={now} onSent={noteSent} />
          ) : null}
        </ShownState>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <PageSkeleton />
      )}
      {data && error instanceof NetworkError ? (
        <Alert color="yellow" role="alert" icon={<CloudOff size={18} aria-hidden />}>
          {t('state.offline', { time: formatMoment(data.asOf, i18n.language, serverNow()) })}
        </Alert>
      ) : data && error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : null}
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<RefreshCw size={18} aria-hidden />}
          loading={isFetching}
          onClick={() => void refetch()}
        >
          {t('state.check')}
        </Button>
        <Button variant="default" onClick={() => go({ name: 'search' })}>
          {t('state.search')}
        </Button>
        <Button variant="subtle" onClick={() => show(undefined)}>
          {t('lookup.other')}
        </Button>
      </Group>
    </Stack>
  );
}

interface ShownStateProps {
  state: State;
  proof: Proof;
  isNew: boolean;
  now: number;
  /** Shown below the state, above the facts. */
  children: ReactNode;
}

function ShownState({ state, proof, isNew, now, children }: ShownStateProps) {
  const { t, i18n } = useTranslation('find');
  const { tone, icon: Icon } = LOOKS[state.status];
  const left = state.expiresAt ? Math.ceil((Date.parse(state.expiresAt) - now) / 1000) : 0;
  const hours = state.intakePeriods.filter(({ enabled, from, to }) => enabled && from && to);
  return (
    <>
      <Stack gap="xs">
        {/* The code is no part of the title, which stays in the history of the browser. */}
        <Heading pageTitle={t('lookup.title')}>{t('state.title', { code: state.code })}</Heading>
        {isNew && state.status === 'waiting' ? (
          <Alert color="green" icon={<CircleCheck size={18} aria-hidden />} role="status">
            <Text fw={600}>{t('state.made', { code: state.code })}</Text>
            <Text>{t('state.codeHint')}</Text>
          </Alert>
        ) : null}
        <div role="status" className={classes.row} tabIndex={-1} data-result>
          <StatusBadge tone={tone} icon={<Icon size={14} aria-hidden />}>
            {t(`state.${state.status}`)}
          </StatusBadge>
          <span className={classes.dim}>
            {t('state.asOf', { time: formatMoment(state.asOf, i18n.language, serverNow()) })}
          </span>
        </div>
        <Text>{t(`state.${state.status}Text`)}</Text>
        {state.expiresAt && left > 0 ? (
          <Text className="tabular">
            {t('state.until', { time: formatDateTime(state.expiresAt, i18n.language) })}
            {' · '}
            {t('state.left', { time: formatWait(left, i18n.language) })}
          </Text>
        ) : null}
      </Stack>
      {children}
      <dl className={classes.facts}>
        <Fact label={t('state.site')}>{state.siteName}</Fact>
        <Fact label={t('state.address')}>{state.address}</Fact>
        <Fact label={t('state.intake')}>
          {hours.length === 0
            ? null
            : hours.map(({ timePeriod, from, to }) => (
                <span key={timePeriod} className={classes.row}>
                  {t(`days.${timePeriod}`)}:{' '}
                  {isAllDay(from ?? '')
                    ? t('days.allDay')
                    : t('days.range', {
                        from: formatClock(from ?? '', i18n.language),
                        to: formatClock(to ?? '', i18n.language),
                      })}
                </span>
              ))}
        </Fact>
        <Fact label={t('state.phone')}>
          <a href={`tel:${state.contactPhone}`}>{formatPhone(state.contactPhone)}</a>
        </Fact>
      </dl>
      <CancelReservation proof={proof} canCancel={state.canCancel} />
    </>
  );
}

interface CancelReservationProps {
  proof: Proof;
  canCancel: boolean;
}

/** Cancels after a question. The focus follows: to the question, back to the button, and to the result once it is cancelled. */
function CancelReservation({ proof, canCancel }: CancelReservationProps) {
  const { t } = useTranslation('find');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const { send, isSending, waiting } = useKnownOutcome();
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string>();
  const question = useRef<HTMLHeadingElement>(null);
  const ask = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (isAsking) question.current?.focus();
    else if (wasAsking.current) (ask.current ?? document.querySelector<HTMLElement>('[data-page-heading]'))?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  const wasSent = useRef(false);
  useEffect(() => {
    if (!wasSent.current || canCancel) return;
    wasSent.current = false;
    document.querySelector<HTMLElement>('[data-result]')?.focus();
  }, [canCancel]);
  const handleCancel = async () => {
    setFailure(undefined);
    const { queryKey } = stateQuery(proof);
    try {
      const state = await send((signal) => cancelReservation(proof, signal));
      if (!state) return;
      wasSent.current = true;
      queryClient.setQueryData(queryKey, state);
    } catch (error) {
      setFailure(errorText(error));
      // The site was faster: show what it decided.
      wasSent.current = error instanceof ConflictError;
      if (wasSent.current) void queryClient.invalidateQueries({ queryKey });
    }
    setAsking(false);
  };
  return (
    <>
      {failure ? (
        <Alert color="red" role="alert" icon={<CircleAlert size={18} aria-hidden />} lang={foreignLanguage(failure)}>
          {failure}
        </Alert>
      ) : null}
      {canCancel && isAsking ? (
        <section className={classes.question} aria-labelledby="cancel-question">
          <h2 id="cancel-question" tabIndex={-1} ref={question}>
            {t('state.cancelTitle')}
          </h2>
          <Text>{t('state.cancelText')}</Text>
          <WaitingNotice waiting={waiting} />
          <Group gap="sm">
            <Button color="red" loading={isSending} onClick={() => void handleCancel()}>
              {t('state.cancelYes')}
            </Button>
            <Button variant="default" disabled={isSending} onClick={() => setAsking(false)}>
              {t('state.cancelNo')}
            </Button>
          </Group>
        </section>
      ) : null}
      {canCancel && !isAsking ? (
        <Group>
          <Button ref={ask} variant="outline" color="red" onClick={() => setAsking(true)}>
            {t('state.cancel')}
          </Button>
        </Group>
      ) : null}
    </>
  );
}
