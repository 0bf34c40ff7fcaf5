import type { Schemas } from '@/api/client';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useUser } from '@/access/use-user';
import { useNewRows } from '@/components/use-new-rows';
import { useWhenHoldEnds } from '@/features/guests/api/use-when-hold-ends';
import { todayKeys } from './keys';
import { type TodayFilters, todayQuery } from './today-query';

/** Today on a screen that shows it. When a hold ends, it is asked for again at once: what waits is the server's word. */
export function useToday(filters: TodayFilters = {}) {
  const { isGlobal } = useUser();
  const queryClient = useQueryClient();
  // While other filters load, what is shown stays.
  const query = useQuery({ ...todayQuery(isGlobal, filters), placeholderData: keepPreviousData });
  const waiting = query.data?.waiting;
  useWhenHoldEnds(
    useMemo(() => waiting?.map(({ guest }) => guest), [waiting]),
    useCallback(() => void queryClient.invalidateQueries({ queryKey: todayKeys.all }), [queryClient]),
  );
  return query;
}

/** The ids of the guests whose reservations came with the last change of what is shown; other filters bring no news. */
export function useNewWaiting(
  { data: today, isPlaceholderData }: ReturnType<typeof useToday>,
  filters: TodayFilters = {},
): ReadonlySet<string> {
  return useNewRows(
    today && !isPlaceholderData
      ? {
          scope: JSON.stringify(filters),
          ids: today.waiting.map(({ guest }) => guest.id),
          isWhole: today.waiting.length >= today.waitingTotal,
        }
      : undefined,
  );
}

/** What a guest was decided on as: who waits for a bed, or who has one. */
type DecidedAs = 'waiting' | 'inBed';

/** Takes the rows of a guest who was decided on out of what is shown; what the server says next is right again. */
export function useForgetDecided(): (guestId: string, as: DecidedAs) => void {
  const queryClient = useQueryClient();
  return useCallback(
    (guestId, as) =>
      void queryClient.setQueriesData<Schemas['Today']>(
        { queryKey: todayKeys.all },
        (today) => today && (as === 'waiting' ? withoutWaiting(today, guestId) : withoutInBed(today, guestId)),
      ),
    [queryClient],
  );
}

function withoutGuest<Row extends { guest: { id: string } }>(rows: readonly Row[], guestId: string): Row[] {
  return rows.filter(({ guest }) => guest.id !== guestId);
}

function withoutWaiting(today: Schemas['Today'], guestId: string): Schemas['Today'] {
  const waiting = withoutGuest(today.waiting, guestId);
  const gone = today.waiting.length - waiting.length;
  return gone === 0 ? today : { ...today, waiting, waitingTotal: today.waitingTotal - gone };
}

function withoutInBed(today: Schemas['Today'], guestId: string): Schemas['Today'] {
  const [arriving, soon] = [withoutGuest(today.arriving, guestId), withoutGuest(today.soon, guestId)];
  const soonTotal = today.soonTotal - (today.soon.length - soon.length);
  return { ...today, arriving, soon, soonTotal };
}
