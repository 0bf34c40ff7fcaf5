import {
  type ClientRect,
  type CollisionDetection,
  DndContext,
  type DragEndEvent,
  type DragOverEvent,
  DragOverlay,
  type DragStartEvent,
  MouseSensor,
  TouchSensor,
  useDraggable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { type ReactNode, type RefObject, type SyntheticEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { Point } from './place-at';
import classes from './components/board.module.css';

// The only file of the board that knows dnd-kit (guide web, section 11). There is no keyboard sensor: Move mode serves the keyboard.
//
// dnd-kit keeps a list of what can be lifted and of where it may be let go, and tells each entry of every change. A board
// has 500 of both (bench, P13), so it gets one thing to lift, which is whatever card the pointer went down on, and no place:
// the bed below the pointer is asked of the page.

const MOUSE = { activationConstraint: { distance: 4 } };
/** A finger that rests for 200 ms drags; one that moves before that scrolls. */
const TOUCH = { activationConstraint: { delay: 200, tolerance: 8 } };
/** So far beside a bed, in pixels, a guest is still let go on it: half of the gap between two beds and a little. */
const BESIDE = 8;
const NEAR = [
  [0, 0],
  [-BESIDE, 0],
  [BESIDE, 0],
  [0, -BESIDE],
  [0, BESIDE],
] as const;

const THE_GUEST = 'guest';

/** Cards are never transformed: their plain rectangle spares a computed style. */
function plainRect(element: HTMLElement): ClientRect {
  const { top, left, right, bottom, width, height } = element.getBoundingClientRect();
  return { top, left, right, bottom, width, height };
}

const MEASURING = { draggable: { measure: plainRect } };

/** What a part of a slot is marked with so that a drag finds it; nothing where the user may not move guests. */
export const dragMark = (guestId: string) => ({ 'data-drag-guest': guestId });
export const dropMark = (bedId: string) => ({ 'data-drop-bed': bedId });

function closest(target: EventTarget | null, mark: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(`[${mark}]`) : null;
}

/** The bed that is seen at a point of the window, but for what follows the pointer. */
function bedAt(x: number, y: number): string | undefined {
  const seen = document.elementsFromPoint(x, y).find((element) => !element.closest(`.${classes.overlay}`));
  return closest(seen ?? null, 'data-drop-bed')?.dataset.dropBed;
}

const bedBelowPointer: CollisionDetection = ({ pointerCoordinates }) => {
  if (!pointerCoordinates) return [];
  const { x, y } = pointerCoordinates;
  for (const [right, down] of NEAR) {
    const id = bedAt(x + right, y + down);
    if (id !== undefined) return [{ id, data: { x, y } }];
  }
  return [];
};

function bedOf({ collisions }: Pick<DragOverEvent, 'collisions'>): string | null {
  const id = collisions?.[0]?.id;
  return id === undefined ? null : String(id);
}

/** Where a finger let the guest go; null for the mouse, whose hand is at the keyboard or finds the button by itself. */
function fingerOf({ activatorEvent, collisions }: Pick<DragEndEvent, 'activatorEvent' | 'collisions'>): Point | null {
  const at = collisions?.[0]?.data as Point | undefined;
  return 'touches' in activatorEvent && at ? { x: at.x, y: at.y } : null;
}

// The board has one live region of its own, so dnd-kit says nothing.
const SILENT = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};

interface DndBoardProps {
  readonly onDrag: (guestId: string) => void;
  /** `bedId` is null when the guest was let go where no bed is; `at` is where, if it was by a finger. */
  readonly onDrop: (guestId: string, bedId: string | null, at: Point | null) => void;
  readonly onCancel: () => void;
  /** Whether a bed is marked when the dragged guest is over it. */
  readonly canDrop: (bedId: string) => boolean;
  /** What follows the pointer; null while nothing is dragged. */
  readonly overlay: ReactNode;
  readonly children: ReactNode;
}

/** The area in which guests are dragged to beds by mouse and by touch. */
export function DndBoard({ onDrag, onDrop, onCancel, canDrop, overlay, children }: DndBoardProps) {
  const sensors = useSensors(useSensor(MouseSensor, MOUSE), useSensor(TouchSensor, TOUCH));
  // Never put into the page: dnd-kit's empty live region would stand beside ours.
  const [offPage] = useState(() => document.createElement('div'));
  const { area, isLifted, lift, hover, settle } = useMarks();
  const handleStart = useCallback(
    (event: DragStartEvent) => {
      const guestId = lift(closest(event.activatorEvent.target, 'data-drag-guest'));
      if (guestId !== null) onDrag(guestId);
    },
    [lift, onDrag],
  );
  const handleOver = useCallback(
    (event: DragOverEvent) => {
      const bedId = bedOf(event);
      hover(bedId !== null && canDrop(bedId) ? bedId : null);
    },
    [hover, canDrop],
  );
  const handleEnd = useCallback(
    (event: DragEndEvent) => {
      const guestId = settle();
      if (guestId !== null) onDrop(guestId, bedOf(event), fingerOf(event));
    },
    [settle, onDrop],
  );
  const handleCancel = useCallback(() => {
    settle();
    onCancel();
  }, [settle, onCancel]);
  const handleIdle = useCallback(() => {
    if (isLifted()) handleCancel();
  }, [isLifted, handleCancel]);
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={bedBelowPointer}
      measuring={MEASURING}
      accessibility={{
        announcements: SILENT,
        screenReaderInstructions: { draggable: '' },
        container: offPage,
        restoreFocus: false,
      }}
      onDragStart={handleStart}
      onDragOver={handleOver}
      onDragEnd={handleEnd}
      onDragCancel={handleCancel}
    >
      <LiftArea area={area} onIdle={handleIdle}>
        {children}
      </LiftArea>
      <DragOverlay dropAnimation={null} className={classes.overlay}>
        {overlay}
      </DragOverlay>
    </DndContext>
  );
}

interface LiftAreaProps {
  readonly area: RefObject<HTMLDivElement | null>;
  /** After each drawing in which dnd-kit carries nothing. */
  readonly onIdle: () => void;
  readonly children: ReactNode;
}

/** Hears a pointer that goes down on any card in it. */
function LiftArea({ area, onIdle, children }: LiftAreaProps) {
  const { active, setNodeRef, listeners } = useDraggable({ id: THE_GUEST });
  // A flick that ends before its beginning was drawn has no end for dnd-kit: whoever is still marked as lifted is not.
  useEffect(() => {
    if (!active) onIdle();
  });
  const begin = (event: SyntheticEvent, sensor: 'onMouseDown' | 'onTouchStart') => {
    const card = closest(event.target, 'data-drag-guest');
    if (!card) return;
    setNodeRef(card);
    listeners?.[sensor]?.(event);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keyboard moves guests in Move mode
    <div
      ref={area}
      className={classes.area}
      onMouseDown={(event) => begin(event, 'onMouseDown')}
      // A second finger lifts nobody.
      onTouchStart={(event) => event.touches.length === 1 && begin(event, 'onTouchStart')}
    >
      {children}
    </div>
  );
}

/** How the lifted card and the bed below it look: written into the page, since no slot need be drawn again for it. */
function useMarks() {
  const area = useRef<HTMLDivElement>(null);
  // Whom: the card may be drawn for someone else meanwhile.
  const lifted = useRef<{ card: HTMLElement; guestId: string } | null>(null);
  const below = useRef<Element | null>(null);
  const hover = useCallback((bedId: string | null) => {
    below.current?.removeAttribute('data-over');
    below.current = bedId === null ? null : (area.current?.querySelector(`[data-drop-bed="${bedId}"]`) ?? null);
    below.current?.setAttribute('data-over', '');
  }, []);
  const settle = useCallback(() => {
    const guestId = lifted.current?.guestId ?? null;
    lifted.current?.card.removeAttribute('data-dragging');
    lifted.current = null;
    hover(null);
    return guestId;
  }, [hover]);
  const lift = useCallback(
    (card: HTMLElement | null) => {
      settle();
      const guestId = card?.dataset.dragGuest;
      if (!card || guestId === undefined) return null;
      card.setAttribute('data-dragging', '');
      lifted.current = { card, guestId };
      return guestId;
    },
    [settle],
  );
  const isLifted = useCallback(() => lifted.current !== null, []);
  return { area, isLifted, lift, hover, settle };
}
