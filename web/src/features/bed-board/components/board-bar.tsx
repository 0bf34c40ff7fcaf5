import { Alert, Button } from '@mantine/core';
import { CloudOff, Hourglass, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type BoardState, noticeOfWait } from '../board-state.utils';
import type { Plan } from '../types';
import type { BoardActions, WaitingMove } from '../use-bed-board';
import type { BoardTexts } from '../use-board-texts';
import classes from './board.module.css';
import { ProblemPanel } from './problem-panel';

interface BoardBarProps {
  readonly state: BoardState;
  readonly texts: BoardTexts;
  /** The moves that are drawn but not certain. */
  readonly waiting: readonly WaitingMove[];
  readonly undoable: Plan | null;
  readonly actions: BoardActions;
}

/** The bar at the lower edge: who is being moved, what went wrong, what can be taken back. In reach of a thumb. */
export function BoardBar({ state, texts, waiting, undoable, actions }: BoardBarProps) {
  const { t } = useTranslation('board');
  const { mode, problem } = state;
  const isShown = mode !== null || problem !== null || undoable !== null || waiting.length > 0;
  return (
    <div className={classes.bar} data-shown={isShown || undefined}>
      <LiveRegion text={state.said && spoken(state, texts)} turn={state.said?.turn ?? 0} />
      {problem && (
        <ProblemPanel
          problem={problem}
          texts={texts}
          onTakeOffer={actions.takeOffer}
          onDismiss={actions.dismissProblem}
        />
      )}
      {waiting.map(({ flight, waiting: reason }) => (
        <Alert
          key={flight.id}
          color="yellow"
          icon={reason === 'unsent' ? <CloudOff size={18} aria-hidden /> : <Hourglass size={18} aria-hidden />}
        >
          {texts.notice(noticeOfWait(flight.plan, reason))}
        </Alert>
      ))}
      {mode && (
        <div className={classes.barRow}>
          <p className={classes.barText}>
            <strong>{t('moving', { guest: mode.guest.displayName })}</strong> <span>{t('movingHint')}</span>{' '}
            <span className={classes.barKeys}>{t('movingKeys')}</span>
          </p>
          <Button variant="default" data-cancel-move onClick={actions.leaveMode}>
            {t('cancel')}
          </Button>
        </div>
      )}
      {!mode && undoable && (
        <div className={classes.barRow}>
          <Button
            variant="default"
            className={classes.undo}
            leftSection={<Undo2 size={16} aria-hidden />}
            onClick={() => actions.undo(undoable)}
          >
            {t('undo', { guest: undoable.guest.displayName, bed: undoable.to.bedName })}
          </Button>
        </div>
      )}
    </div>
  );
}

/** What the live region says: a failure with its reason. */
function spoken({ said, problem }: BoardState, texts: BoardTexts): string {
  if (!said) return '';
  const text = texts.notice(said.notice);
  const isFailure = said.notice.key === 'failed' || said.notice.key === 'refused';
  return isFailure && problem ? `${text} ${texts.reason(problem)}`.trim() : text;
}

/** The one live region of the board: mounted empty, and emptied before a text, so that an equal one is said again. */
function LiveRegion({ text, turn }: { readonly text: string | null; readonly turn: number }) {
  const [shown, setShown] = useState('');
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  });
  useEffect(() => {
    if (turn === 0) return undefined;
    const clearing = setTimeout(() => setShown(''), 0);
    const saying = setTimeout(() => setShown(latest.current ?? ''), 60);
    return () => {
      clearTimeout(clearing);
      clearTimeout(saying);
    };
  }, [turn]);
  return (
    <p role="status" className="berth-hidden">
      {shown}
    </p>
  );
}
