import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ClipboardList } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import { newIdempotencyKey, type Schemas } from '@/api/client';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { TableSkeleton } from '@/components/skeletons';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useChangeWaiting, useTakeOffer } from '../api/waitlist-commands';
import { waitlistQuery } from '../api/waitlist-query';
import { OfferPeriod } from './offer-period';
import { type WaitAction, WaitingPerson } from './waiting-person';
import classes from './waitlist.module.css';

type Person = Schemas['WaitingGuest'];

/** A question about a person that is open. */
interface Asked {
  action: Exclude<WaitAction, 'take'>;
  person: Person;
}

const COMMANDS = { decline: 'DECLINE', leave: 'LEAVE', prioritize: 'PRIORITIZE', unprioritize: 'PRIORITIZE' } as const;
const REASON_CHARACTERS = 200;

interface WaitlistProps {
  site: Schemas['SiteDetails'];
}

/** The people who wait for a bed at a site, the next to be asked first, and the offers that stand. */
export function Waitlist({ site }: WaitlistProps) {
  const { t } = useTranslation('reservations', { keyPrefix: 'waitlist' });
  const mayChange = useCan('guest.add', { site });
  const mayEdit = useCan('site.edit', { site });
  const { data, error, refetch } = useQuery(waitlistQuery(site.id));
  const errorText = useErrorText();
  const take = useTakeOffer(site.id);
  const change = useChangeWaiting(site.id);
  const [asked, setAsked] = useState<Asked | null>(null);
  // One key for each state of a person: a second press, or one after a lost answer, has no second effect.
  const keys = useRef(new Map<string, string>());
  // The second half of a double press comes before the screen knows of the first.
  const isTaking = useRef(false);

  const giveBed = (person: Person) => {
    if (isTaking.current) return;
    isTaking.current = true;
    const state = `${person.id} ${person.version}`;
    const idempotencyKey = keys.current.get(state) ?? newIdempotencyKey();
    keys.current.set(state, idempotencyKey);
    const about = `waiting:${person.id}`;
    take.mutate(
      { person, idempotencyKey },
      {
        onSuccess: (guest) =>
          toast.success(t('taken', { name: guest.firstName, code: guest.code, bed: person.offer?.bedName ?? '' }), {
            about,
          }),
        onError: (refusal) => toast.error(errorText(refusal), { about }),
        onSettled: () => {
          isTaking.current = false;
        },
      },
    );
  };

  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <TableSkeleton rows={4} />;
  return (
    <>
      {data.items.length === 0 ? (
        <EmptyState
          icon={<ClipboardList size={32} strokeWidth={1.5} />}
          title={t('empty')}
          hint={t(mayChange ? 'emptyHint' : 'emptyHintStaff')}
        />
      ) : (
        <>
          <Text c="dimmed" size="sm" mb="sm">
            {t('order')}
          </Text>
          <ol className={classes.list} aria-label={t('title')}>
            {data.items.map((person, index) => (
              <WaitingPerson
                key={person.id}
                person={person}
                place={index + 1}
                mayChange={mayChange}
                isBusy={take.isPending}
                onAction={(action) => (action === 'take' ? giveBed(person) : setAsked({ action, person }))}
              />
            ))}
          </ol>
        </>
      )}
      {mayEdit ? <OfferPeriod key={data.offerMinutes} siteId={site.id} minutes={data.offerMinutes} /> : null}
      <Question asked={asked} onClose={() => setAsked(null)} run={change.mutateAsync} />
    </>
  );
}

interface QuestionProps {
  asked: Asked | null;
  onClose: () => void;
  run: ReturnType<typeof useChangeWaiting>['mutateAsync'];
}

/** A priority was asked for without a reason. */
class ReasonNeeded extends Error {}

/** Asks before a person loses an offer or the place, and for the reason of a priority. */
function Question({ asked, onClose, run }: QuestionProps) {
  const { t } = useTranslation('reservations', { keyPrefix: 'waitlist' });
  const errorText = useErrorText();
  const nameOf = ({ person }: Asked) => `${person.firstName} ${person.lastName}.`;
  const hasReason = asked?.action === 'leave' || asked?.action === 'prioritize';
  return (
    <ConfirmMutation
      subject={asked}
      title={asked ? t(`ask.${asked.action}.title`) : ''}
      confirmLabel={asked ? t(`ask.${asked.action}.confirm`) : ''}
      danger={asked?.action === 'leave'}
      {...(hasReason
        ? { note: { label: t('ask.reason'), description: t('ask.reasonHint'), maxLength: REASON_CHARACTERS } }
        : {})}
      run={async ({ person, action }: Asked, reason: string) => {
        // Without a reason a priority would end.
        if (action === 'prioritize' && reason.trim() === '') throw new ReasonNeeded();
        await run({ person, command: COMMANDS[action], ...(reason.trim() === '' ? {} : { reason }) });
      }}
      done={(of) => t(`ask.${of.action}.done`, { name: nameOf(of) })}
      refusalText={(error) => (error instanceof ReasonNeeded ? t('ask.reasonNeeded') : errorText(error))}
      about={({ person }) => `waiting:${person.id}`}
      onClose={onClose}
    >
      {(of) => t(`ask.${of.action}.text`, { name: nameOf(of) })}
    </ConfirmMutation>
  );
}
