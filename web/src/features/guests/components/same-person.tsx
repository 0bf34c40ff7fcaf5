import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Merge, Undo2 } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { ConflictError } from '@/api/errors';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { ignoreSecondTap } from '@/components/form/focus-first-invalid';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { MOVED_MILLISECONDS } from '@/components/use-held-rows';
import { steadyPress } from '@/lib/steady-press';
import { earlierOfGuestQuery } from '../api/earlier-queries';
import { useOpenCommand } from '../api/open-commands';
import { type Merged, useMerge, useUnmerge } from '../api/merge-guests';
import { CommandWait } from '../ui/command-wait';
import { EarlierItem } from '../ui/earlier-reservations';
import earlier from '../ui/earlier.module.css';
import { mergePair, outcomeOf, type Pair } from '../ui/merge.utils';
import { useRefusalText } from '../ui/use-refusal-text';
import classes from './guest-details.module.css';

type Earlier = Schemas['EarlierReservation'];
/** What both a guest and an earlier reservation tell. */
type Party = Merged & Pick<Earlier, 'displayName' | 'siteName' | 'status' | 'mergedAt'>;

interface SamePersonProps {
  guest: Schemas['Guest'];
  site: Schemas['SiteDetails'];
}

/** The other reservations of the guest, and what merges them. Nothing without any. */
export function SamePerson({ guest, site }: SamePersonProps) {
  const { t } = useTranslation('guests');
  const { data } = useQuery(earlierOfGuestQuery(guest.id));
  const canMerge = useCan('guest.merge', { site });
  const [askedId, setAskedId] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { undo } = useUndoMerge();
  /** The pressed button disappears, so the focus needs a new place. */
  const undoHere = (pair: Pair<Party, Party>) => undo(pair).then(() => heading.current?.focus());
  if (!data || (data.items.length === 0 && guest.mergedAt === null)) return null;
  const kept = data.items.find(({ merged }) => merged === 'kept');
  const undoButton = (pair: Pair<Party, Party>, name?: string) => (
    <Button
      variant="default"
      size="xs"
      leftSection={<Undo2 size={16} aria-hidden />}
      aria-label={name ? t('samePerson.undoOf', { guest: name }) : undefined}
      onClick={() => void undoHere(pair)}
    >
      {t('samePerson.undo')}
    </Button>
  );
  return (
    <section className={classes.panel} aria-labelledby="guest-same-person">
      <h2 ref={heading} id="guest-same-person" tabIndex={-1} className={classes.heading}>
        {t('samePerson.title')}
      </h2>
      {guest.mergedAt === null ? null : (
        <Alert color="gray" icon={<Merge size={18} aria-hidden />} mb="sm">
          <Stack gap="xs" align="flex-start">
            {kept ? t('samePerson.into', { guest: kept.displayName }) : t('samePerson.intoOther')}
            {canMerge ? undoButton({ kept: kept ?? guest, duplicate: guest }) : null}
          </Stack>
        </Alert>
      )}
      <ul className={earlier.list} aria-label={t('earlier.list')}>
        {data.items.map((item) => {
          const pair = canMerge ? mergePair<Party, Party>(guest, item) : null;
          return (
            <EarlierItem key={item.id} item={item} timeZone={site.timeZone}>
              <Group gap="xs">
                {item.merged === 'duplicate' ? <Badge color="gray">{t('samePerson.badge')}</Badge> : null}
                {item.merged === 'duplicate' && canMerge
                  ? undoButton({ kept: guest, duplicate: item }, item.displayName)
                  : null}
                {pair ? (
                  <Button
                    variant="default"
                    size="xs"
                    leftSection={<Merge size={16} aria-hidden />}
                    aria-label={t('samePerson.mergeOf', { guest: item.displayName })}
                    onClick={() => setAskedId(item.id)}
                  >
                    {t('samePerson.merge')}
                  </Button>
                ) : null}
              </Group>
            </EarlierItem>
          );
        })}
      </ul>
      <MergeQuestion
        shown={guest}
        other={data.items.find(({ id }) => id === askedId) ?? null}
        onClose={() => setAskedId(null)}
      />
    </section>
  );
}

interface MergeQuestionProps {
  shown: Schemas['Guest'];
  /** The reservation that is to be merged with the one that is shown. */
  other: Earlier | null;
  onClose: () => void;
}

/**
 * Asks before two reservations are merged, and says what becomes of each. It follows what others change: another one may be
 * kept by then, and it is merged only after that was read.
 */
function MergeQuestion({ shown, other, onClose }: MergeQuestionProps) {
  const { t } = useTranslation('guests');
  const refusalText = useRefusalText();
  /** Reservations as refusals have shown them. */
  const [refused, setRefused] = useState<Readonly<Record<string, Schemas['Guest']>>>({});
  /** What was agreed to, until its outcome is known. */
  const [sent, setSent] = useState<Pair<Party, Party> | null>(null);
  const subject = useMemo(() => {
    if (!other) return null;
    const [kept, duplicate] = [latest(shown, refused), latest(other, refused)];
    if (sent && [sent.kept.id, sent.duplicate.id].includes(other.id)) return sent;
    return mergePair(kept, duplicate) ?? { kept, duplicate };
  }, [shown, other, refused, sent]);
  const { hasChanged, readAnew } = useReading(subject);
  const { mutateAsync } = useMerge();
  const { undo } = useUndoMerge();
  const open = useOpenCommand(subject?.duplicate.id);
  return (
    <ConfirmMutation
      subject={subject}
      title={t('samePerson.question')}
      confirmLabel={t('samePerson.merge')}
      run={async (pair) => {
        setSent(pair);
        try {
          return await mutateAsync(pair);
        } catch (error) {
          const now = error instanceof ConflictError ? error.problem.guest : undefined;
          if (now) {
            setRefused((known) => ({ ...known, [now.id]: now }));
            // The refusal says what has changed.
            readAnew();
          }
          throw error;
        } finally {
          setSent(null);
        }
      }}
      isWaiting={open !== undefined && open.state !== 'sending'}
      way={hasChanged ? <ReadAnew onRead={readAnew} /> : undefined}
      done={({ kept, duplicate }) => t('samePerson.done', { kept: kept.displayName, duplicate: duplicate.displayName })}
      about={({ duplicate }) => `guest:${duplicate.id}`}
      undo={({ kept, duplicate }, { version }) =>
        () =>
          undo({ kept, duplicate: { ...duplicate, version } })
        }
      refusalText={refusalText}
      onClose={onClose}
    >
      {({ kept, duplicate }) => {
        const names = { kept: kept.displayName, duplicate: duplicate.displayName, site: duplicate.siteName };
        return (
          <>
            {hasChanged ? (
              <Alert color="yellow" role="alert">
                {t('samePerson.changed')}
              </Alert>
            ) : null}
            {mergePair(kept, duplicate) ? (
              <>
                <Text>{t('samePerson.keeps', names)}</Text>
                <Text>{t(duplicate.status === 'pending' ? 'samePerson.ends' : 'samePerson.stays', names)}</Text>
                <Text size="sm" c="dimmed">
                  {t('samePerson.hint')}
                </Text>
              </>
            ) : (
              <Text>{t('samePerson.notNow')}</Text>
            )}
            <CommandWait state={open?.state} />
          </>
        );
      }}
    </ConfirmMutation>
  );
}

/** Whether what the question says becomes of the two has changed since it was asked or read anew. */
function useReading(subject: Pair<Party, Party> | null) {
  const [reading, setReading] = useState<{ outcome: string; hasChanged: boolean } | null>(null);
  const outcome = subject && outcomeOf(subject);
  if (!subject && reading) setReading(null);
  if (outcome && outcome !== reading?.outcome) setReading({ outcome, hasChanged: reading !== null });
  return { hasChanged: reading?.hasChanged ?? false, readAnew: () => setReading(null) };
}

/** Stands in place of *Merge* until the changed question is read. A hand that began to press *Merge* does not press it. */
function ReadAnew({ onRead }: { onRead: () => void }) {
  const { t } = useTranslation('guests');
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (button.current) ignoreSecondTap(button.current, MOVED_MILLISECONDS);
  }, []);
  return (
    <Button ref={button} variant="default" onClick={onRead} {...steadyPress}>
      {t('samePerson.readAnew')}
    </Button>
  );
}

/** Returns the reservation as a refusal has shown it, if it is newer there. */
function latest(party: Party, refused: Readonly<Record<string, Schemas['Guest']>>): Party {
  const now = refused[party.id];
  if (!now || now.version <= party.version) return party;
  return { ...party, version: now.version, status: now.status, mergedAt: now.mergedAt };
}

/** Undoes a merge, and says what came of it. */
function useUndoMerge() {
  const { t } = useTranslation('guests');
  const errorText = useErrorText();
  const { mutateAsync } = useUnmerge();
  const undo = (pair: Pair<Party, Party>) => {
    const about = `guest:${pair.duplicate.id}`;
    return mutateAsync(pair).then(
      () => toast.success(t('samePerson.undone', { duplicate: pair.duplicate.displayName }), { about }),
      (error: Error) => toast.error(t('samePerson.undoneRefused', { reason: errorText(error) }), { about }),
    );
  };
  return { undo };
}
