import type { Schemas } from '@/api/client';
import { Button } from '@mantine/core';
import {
  ArrowLeftRight,
  BedDouble,
  CircleSlash,
  CircleX,
  LogOut,
  type LucideIcon,
  MoveRight,
  TimerOff,
  Undo2,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCan, useUser } from '@/access/use-user';
import { useNow } from '@/components/use-now';
import { useOpenCommand } from '@/features/guests/api/open-commands';
import { useUndoDecision } from '@/features/guests/api/use-undo-decision';
import { CommandMark } from '@/features/guests/ui/command-mark';
import { fullName } from '@/features/guests/ui/guest-facts.utils';
import { useUndoMove } from '@/features/reservations/ui/use-undo-move';
import { steadyPress } from '@/lib/steady-press';
import { timeOfDay, undoTimes } from '../today.utils';
import classes from './today.module.css';
import { GuestLink } from './waiting-list';

const ICONS: Record<Schemas['TodayMove']['kind'], LucideIcon> = {
  accepted: BedDouble,
  moved: MoveRight,
  swapped: ArrowLeftRight,
  discharged: LogOut,
  declined: CircleX,
  cancelled: CircleSlash,
  expired: TimerOff,
};

/** What happened since midnight, the newest first. */
export function Moves({ moves, headingId }: { moves: readonly Schemas['TodayMove'][]; headingId: string }) {
  return (
    <ol className={classes.moves} aria-labelledby={headingId} {...steadyPress}>
      {moves.map((move) => (
        <li key={`${move.guest.id} ${move.kind} ${move.at}`} className={classes.move}>
          <Move move={move} headingId={headingId} />
        </li>
      ))}
    </ol>
  );
}

function Move({ move, headingId }: { move: Schemas['TodayMove']; headingId: string }) {
  const { t, i18n } = useTranslation('today');
  const { id: userId } = useUser();
  const { kind, guest, site, at, by, byUserId } = move;
  const Icon = ICONS[kind];
  const who = byUserId === userId ? t('moves.byYou') : by === null ? null : t('moves.by', { name: by });
  return (
    <>
      <Icon size={18} aria-hidden className={classes.moveIcon} />
      <div className={classes.moveText}>
        <span>
          <GuestLink guest={guest} /> <span className={classes.code}>{guest.code}</span>
        </span>
        <span>{useMoveText(move)}</span>
        <span className={classes.dim}>
          <time dateTime={at}>{timeOfDay(at, i18n.language, site.timeZone)}</time>
          {[site.name, who].filter(Boolean).map((part) => ` · ${part}`)}
        </span>
        <CommandMark guestId={guest.id} />
      </div>
      <UndoMove move={move} isOwn={byUserId === userId} headingId={headingId} />
    </>
  );
}

function useMoveText({ kind, guest, from, to }: Schemas['TodayMove']): string {
  const { t } = useTranslation(['today', 'guests']);
  const place = (bed: Schemas['TodayMove']['to']) =>
    bed ? t('guests:place', { room: bed.roomName, bed: bed.bedName }) : null;
  const places = { from: place(from), to: place(to) };
  switch (kind) {
    case 'declined':
    case 'cancelled':
    case 'expired':
      return t(`moves.${kind}`);
    // A bed may be gone since: then the move is told without beds.
    case 'accepted':
      return places.to === null ? t('moves.unknown.accepted') : t('moves.accepted', places);
    case 'discharged': {
      // A no-show is a discharge with a mark.
      const ending = guest.noShowAt === null ? 'discharged' : 'noShow';
      return places.from === null ? t(`moves.unknown.${ending}`) : t(`moves.${ending}`, places);
    }
    default:
      return places.from === null || places.to === null ? t(`moves.unknown.${kind}`) : t(`moves.${kind}`, places);
  }
}

interface UndoMoveProps {
  move: Schemas['TodayMove'];
  isOwn: boolean;
  headingId: string;
}

/** Takes the move back, for as long as this user may; nothing afterwards. */
function UndoMove({ move, isOwn, headingId }: UndoMoveProps) {
  const canUndoOthers = useCan('guest.undo', { site: move.site });
  const times = undoTimes(move);
  if (times === null) return null;
  const until = Math.max(isOwn ? times.own : 0, canUndoOthers ? (times.others ?? 0) : 0);
  return until === 0 ? null : <UndoButton move={move} until={until} headingId={headingId} />;
}

interface UndoButtonProps {
  move: Schemas['TodayMove'];
  until: number;
  headingId: string;
}

function UndoButton({ move: { kind, guest, from }, until, headingId }: UndoButtonProps) {
  const { t } = useTranslation(['today', 'common']);
  const { undo } = useUndoDecision();
  const undoMove = useUndoMove();
  const open = useOpenCommand(guest.id);
  if (useNow(1000) >= until) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Undo2 size={16} aria-hidden />}
      loading={open?.state === 'sending'}
      disabled={open !== undefined}
      aria-label={t('moves.undoLabel', { guest: guest.displayName })}
      onClick={() => {
        // The button is off until the answer, and then the row goes.
        document.getElementById(headingId)?.focus({ preventScroll: true });
        void (kind === 'moved' && from ? undoMove(guest, from) : undo(guest, fullName(guest)));
      }}
    >
      {t('common:action.undo')}
    </Button>
  );
}
