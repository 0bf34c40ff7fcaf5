import { useDocumentVisibility } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { can } from '@/access/can';
import { useUser } from '@/access/use-user';
import { toast } from '@/components/toast';
import { expiredIds, type Hold, holdsOf, isEnding, minutesLeft, untilNextCheck } from '@/features/alerts/alerts.utils';
import { unheardHolds } from '@/features/alerts/api/heard';
import { useAlert } from '@/features/alerts/api/use-alert';
import { todayQuery } from '@/features/today/api/today-query';
import { onClockCorrected, serverNow } from '@/lib/clock';

const ENDING = 'holds-ending';
const ENDED = 'holds-ended';

/** Tells of holds that end within 15 minutes, and of those that ended without a decision, where the user decides. */
export function useHolds(): void {
  const user = useUser();
  const isHidden = useDocumentVisibility() === 'hidden';
  // A hidden tab has no live connection: it asks now and then.
  const { data: today, refetch } = useQuery({ ...todayQuery(false, {}), refetchIntervalInBackground: true });
  const { tellEnding, tellEnded, alertEnding } = useTellHolds();
  /** The holds that were seen here, by guest, until their end is told. */
  const seen = useRef(new Map<string, Hold>());
  const warned = useRef(new Set<string>());

  useEffect(() => {
    if (!today) return undefined;
    const holds = holdsOf(today.waiting, (site) => can(user, 'guest.accept', { site }));
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const look = () => {
      if (isOver) return;
      const now = serverNow();
      const ending = holds.filter((hold) => isEnding(hold, now));
      const unheard = unheardHolds(ending.map(({ guestId }) => guestId));
      alertEnding(ending.filter(({ guestId }) => unheard.includes(guestId)));
      for (const hold of holds) seen.current.set(hold.guestId, hold);
      wait();
      // Nobody sees a message in a hidden tab. It is shown when the user is back.
      if (isHidden) return;
      const untold = ending.filter(({ guestId }) => !warned.current.has(guestId));
      for (const { guestId } of untold) warned.current.add(guestId);
      tellEnding(untold);
      const ended = expiredIds(today.moves).flatMap((id) => seen.current.get(id) ?? []);
      for (const { guestId } of ended) seen.current.delete(guestId);
      tellEnded(ended);
    };
    const wait = () => {
      clearTimeout(timer);
      const left = untilNextCheck(holds, serverNow());
      if (left === undefined) return;
      timer = setTimeout(ask, left);
    };
    // Somebody may have decided in the meantime, which a hidden tab does not hear of. What has changed runs the effect again.
    const ask = () => void refetch({ cancelRefetch: false }).then(({ data }) => data === today && look());
    look();
    // After the sleep of a computer a moment may have passed without its timer.
    const stop = onClockCorrected(ask);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop();
    };
  }, [today, user, isHidden, refetch, tellEnding, tellEnded, alertEnding]);
}

/** The messages about holds. They name sites, never guests, and lead to Today. */
function useTellHolds() {
  const { t } = useTranslation(['alerts', 'shell']);
  const { navigate } = useRouter();
  const alert = useAlert();
  const told = useRef<Record<string, readonly Hold[]>>({});
  const tell = useCallback(
    (about: string, added: readonly Hold[], textOf: (holds: readonly Hold[]) => string) => {
      if (added.length === 0) return;
      // A message that still stands counts on.
      const holds = [...(toast.isShown(about) ? (told.current[about] ?? []) : []), ...added];
      told.current[about] = holds;
      toast.news(textOf(holds), {
        about,
        action: { label: t('shell:arrivals.show'), onAction: () => void navigate({ to: '/today' }) },
      });
    },
    [navigate, t],
  );
  const endingText = useCallback(
    (holds: readonly Hold[]) => {
      const [first, ...others] = holds;
      return first && others.length === 0
        ? t('holds.ending', { site: first.site.name, count: minutesLeft(first, serverNow()) })
        : t('holds.endingMany', { count: holds.length });
    },
    [t],
  );
  const endedText = useCallback(
    (holds: readonly Hold[]) => {
      const [first, ...others] = holds;
      return first && others.length === 0
        ? t('holds.ended', { site: first.site.name })
        : t('holds.endedMany', { count: holds.length });
    },
    [t],
  );
  return {
    tellEnding: useCallback((holds: readonly Hold[]) => tell(ENDING, holds, endingText), [tell, endingText]),
    tellEnded: useCallback((holds: readonly Hold[]) => tell(ENDED, holds, endedText), [tell, endedText]),
    alertEnding: useCallback(
      (holds: readonly Hold[]) => {
        const news = holds.map((hold) => ({ ...hold, timeZone: hold.site.timeZone }));
        void alert(ENDING, news, endingText);
      },
      [alert, endingText],
    ),
  };
}
