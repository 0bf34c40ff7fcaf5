import { Switch, Text } from '@mantine/core';
import { type KeyboardEvent, useCallback, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Counts } from '@/components/counts';
import { ConfirmDialog } from '@/components/dialog/confirm-dialog';
import { EmptyState } from '@/components/empty-state';
import { MANY_HOUSES } from '@/features/houses/ui/beds.utils';
import { HouseJump } from '@/features/houses/ui/house-jump';
import { useCompactBeds } from '@/features/houses/ui/use-compact-beds';
import { availableBeds, barredBeds, findGuest, firstHouses, misplacedBy, totalsOf } from '../board.utils';
import { endOfMode, type FocusRequest } from '../board-state.utils';
import { placeAt } from '../place-at';
import { DndBoard } from '../dnd';
import { isStepKey } from '../steps.utils';
import type { Board, Guest, SiteDetails } from '../types';
import { useBedBoard } from '../use-bed-board';
import { useBoardTexts } from '../use-board-texts';
import { useLateKey } from '../use-late-key';
import { OCCUPIED_REASON_ID, type Offer } from './bed-slot';
import { BoardBar } from './board-bar';
import classes from './board.module.css';
import { boardHeadingId, HouseFrame } from './house-frame';
import { WaitingList } from './waiting-list';

interface BoardViewProps {
  readonly site: SiteDetails;
  readonly guests: readonly Guest[];
  readonly canMove: boolean;
  /** Whether Escape belongs to the board (a mode, a question or a drag) and not to the modal around it. */
  readonly onOwnEscape: (isOwn: boolean) => void;
}

function focusSelector(request: FocusRequest): string {
  switch (request.on) {
    case 'bed':
      return `[data-choice="${request.bedId}"]`;
    case 'handle':
      return `[data-handle="${request.guestId}"]`;
    case 'cancel':
      return '[data-cancel-move]';
  }
}

/** Houses, waiting guests, Move mode and dragging of one site. */
export function BoardView({ site, guests, canMove, onOwnEscape }: BoardViewProps) {
  const { t } = useTranslation(['board', 'houses']);
  const [wantsCompact, setCompact] = useCompactBeds();
  const texts = useBoardTexts(site.timeZone);
  const { board, rules, state, waits, waiting, undoable, actions } = useBedBoard(site, guests, texts);
  const root = useRef<HTMLDivElement>(null);
  const { mode, question, draggedGuestId, focus } = state;

  useLayoutEffect(() => {
    if (!focus) return;
    const preventScroll = focus.on === 'handle' && focus.keepsScroll === true;
    root.current?.querySelector<HTMLElement>(focusSelector(focus))?.focus({ preventScroll });
  }, [focus]);

  const isLate = useLateKey(mode === null ? endOfMode(state) : null);
  const ownsEscape = mode !== null || question !== null || draggedGuestId !== null || isLate;
  useLayoutEffect(() => onOwnEscape(ownsEscape), [onOwnEscape, ownsEscape]);

  // Escape ends the mode wherever the focus is; a question in front of it keeps its own Escape.
  const hearsEscape = mode !== null && question === null;
  useEffect(() => {
    if (!hearsEscape) return undefined;
    const handleEscape = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && !event.isComposing) actions.leaveMode();
    };
    window.addEventListener('keydown', handleEscape, { capture: true });
    return () => window.removeEventListener('keydown', handleEscape, { capture: true });
  }, [hearsEscape, actions]);

  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isOnBed = event.target instanceof Element && event.target.closest('[data-choice]') !== null;
    if (!mode || !isOnBed || !isStepKey(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    actions.step(event.key, Number(getComputedStyle(event.currentTarget).getPropertyValue('--columns')) || 1);
  };

  // Once for each question: what the user has since scrolled does not move it.
  const finger = question?.at ?? null;
  const confirmRef = useCallback(
    (confirm: HTMLButtonElement | null) => {
      if (confirm && finger) placeAt(confirm, finger);
    },
    [finger],
  );

  const movingGuestId = mode?.guest.id ?? null;
  const movingHasBed = mode !== null && mode.homeBedId !== null;
  const offer = useMemo<Offer | null>(
    () =>
      movingGuestId
        ? { guestId: movingGuestId, hasBed: movingHasBed, barred: barredBeds(board, movingGuestId, rules) }
        : null,
    [movingGuestId, movingHasBed, board, rules],
  );
  const isLong = board.houses.length >= MANY_HOUSES;
  const isCompact = wantsCompact && isLong;
  const totals = useMemo(() => totalsOf(board), [board]);
  const stopBedId = mode?.stopBedId ?? null;
  // The first houses are on the screen at once; the rest of a large site follows while they already answer, and at once
  // where the focus may be sent to it.
  const isLater = useDeferredValue(true, false);
  const isWhole = isLater || mode !== null || focus !== null;
  const houses = isWhole ? board.houses : firstHouses(board);

  return (
    <div ref={root} className={classes.board} data-board>
      <div className={classes.head}>
        <Counts
          vacant={totals.vacant}
          occupied={totals.occupied}
          disabled={totals.disabled}
          available={availableBeds(totals, board.waiting.length)}
          pending={board.waiting.length}
        />
        <p className={classes.intro}>{canMove ? t('intro') : t('introReadOnly')}</p>
        {isLong ? (
          <div className={classes.tools}>
            <HouseJump rooms={board.houses} headingId={boardHeadingId} />
            <Switch
              label={t('houses:tools.compact')}
              checked={isCompact}
              onChange={(event) => setCompact(event.currentTarget.checked)}
            />
          </div>
        ) : null}
      </div>
      <p id={OCCUPIED_REASON_ID} hidden>
        {t('choice.occupiedReason')}
      </p>
      {board.houses.length === 0 ? (
        <EmptyState title={t('empty')} hint={t('emptyHint')} />
      ) : (
        <DndBoard
          onDrag={actions.drag}
          onDrop={actions.drop}
          onCancel={actions.cancelDrag}
          canDrop={actions.canDrop}
          overlay={draggedGuestId && <DragGhost guestId={draggedGuestId} board={board} />}
        >
          <div
            className={classes.columns}
            data-density={isCompact ? 'compact' : undefined}
            data-waiting={board.waiting.length > 0 || undefined}
          >
            {board.waiting.length > 0 && (
              <WaitingList
                guests={board.waiting}
                texts={texts}
                canMove={canMove}
                movingGuestId={movingGuestId}
                onToggleMode={actions.toggleMode}
              />
            )}
            {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys bubble from the beds, which are buttons */}
            <div className={classes.houses} onKeyDown={handleKeyDown}>
              {houses.map((house) => (
                <HouseFrame
                  key={house.id}
                  house={house}
                  texts={texts}
                  canMove={canMove}
                  offer={offer}
                  waits={waits}
                  stopBedId={house.beds.some((bed) => bed.id === stopBedId) ? stopBedId : null}
                  onToggleMode={actions.toggleMode}
                  onChoose={actions.choose}
                />
              ))}
            </div>
          </div>
        </DndBoard>
      )}
      <BoardBar state={state} waiting={waiting} texts={texts} undoable={undoable} actions={actions} />
      <ConfirmDialog
        subject={question}
        title={t('ask.title')}
        confirmLabel={({ plan }) => t(plan.kind === 'swap' ? 'ask.confirmSwap' : 'ask.confirmAssign')}
        cancelLabel={t('ask.cancel')}
        confirmRef={confirmRef}
        onConfirm={actions.confirm}
        onCancel={actions.cancelQuestion}
      >
        {({ plan }) => (
          <>
            <Text>{texts.question(plan)}</Text>
            {misplacedBy(board, plan, rules).map((one) => (
              <Text key={one.guest} c="var(--berth-pending)">
                {texts.misplaced(one)}
              </Text>
            ))}
          </>
        )}
      </ConfirmDialog>
    </div>
  );
}

/** What follows the pointer: small, so that the bed under it stays readable. */
function DragGhost({ guestId, board }: { readonly guestId: string; readonly board: Board }) {
  return <div className={classes.ghost}>{findGuest(board, guestId)?.displayName}</div>;
}
