import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type BedTexts, useBedTexts } from '@/features/houses/ui/use-bed-texts';
import { useMeantFor } from '@/features/houses/ui/use-meant-for';
import { useChangedBy } from '@/features/guests/ui/use-changed-by';
import type { Notice, NoticeValues, Problem } from './problem.utils';
import type { Bed, Misplaced, Place, Plan, Verdict } from './types';

const NO_NAMES: NoticeValues = { guest: '', bed: '', house: '', other: '', otherBed: '', otherHouse: '' };

/** All words of the board, made once: the slots are many and ask for no translation themselves. */
export interface BoardTexts {
  readonly bed: BedTexts;
  readonly vacantOf: (vacant: number, beds: number) => string;
  readonly move: (guest: string) => string;
  readonly choice: (verdict: Verdict, bed: Bed) => string;
  readonly badge: (verdict: Verdict) => string | null;
  readonly notice: (notice: Notice) => string;
  readonly problem: (problem: Problem) => string;
  /** Why, in the server's words and in ours; empty when nobody knows. */
  readonly reason: (problem: Problem) => string;
  readonly question: (plan: Plan) => string;
  /** What speaks against a bed for a guest. */
  readonly misplaced: (misplaced: Misplaced) => string;
  /** Why the user may not place guests so. */
  readonly barred: (misplaced: readonly Misplaced[]) => string;
  readonly place: (place: Place) => string;
}

/** `timeZone` is the site's. */
export function useBoardTexts(timeZone: string): BoardTexts {
  const { t } = useTranslation(['board', 'houses', 'common']);
  const bed = useBedTexts();
  const changedBy = useChangedBy();
  const listOf = useMeantFor();
  return useMemo(() => {
    const notice = ({ key, values }: Notice) => t(`notice.${key}`, { ...NO_NAMES, ...values });
    const place = (at: Place) => t('ask.place', { bed: at.bedName, house: at.houseName });
    const barred = (misplaced: readonly Misplaced[]) =>
      [
        ...misplaced.map(({ guest, misfits }) => t('problem.notFor', { guest, list: listOf(misfits) })),
        t('problem.needsAdmin'),
      ].join(' ');
    return {
      bed,
      place,
      barred,
      vacantOf: (vacant, beds) => t('houses:vacantOf', { vacant, beds }),
      move: (guest) => t('move', { guest }),
      choice: (verdict, { name, room, guest }) => {
        const values = { bed: name, house: room.name, guest: guest?.displayName ?? '' };
        if (verdict === 'disabled') return name;
        return t(`choice.${verdict === 'barred' && guest ? 'occupied' : verdict}`, values);
      },
      badge: (verdict) =>
        verdict === 'assign' || verdict === 'swap' || verdict === 'own' ? t(`badge.${verdict}`) : null,
      notice,
      problem: ({ key, guest }) => t(`problem.${key}`, { guest: guest.displayName }),
      reason: ({ guest, to, reason }) =>
        [
          to && t('problem.move', { guest: guest.displayName, bed: to.bedName, house: to.houseName }),
          reason?.isPending && t('common:error.pendingChange'),
          reason?.misplaced && barred(reason.misplaced),
          reason?.text,
          reason?.now && notice(reason.now),
          changedBy(reason?.error, timeZone, to?.bedName),
        ]
          .filter(Boolean)
          .join(' '),
      misplaced: ({ guest, misfits }) => t('ask.misplaced', { guest, list: listOf(misfits) }),
      question: ({ kind, guest, from, to, other }) =>
        t(`ask.${kind}`, {
          guest: guest.displayName,
          other: other?.displayName ?? '',
          from: from ? place(from) : t('reservations'),
          to: place(to),
        }),
    };
  }, [t, bed, changedBy, listOf, timeZone]);
}
