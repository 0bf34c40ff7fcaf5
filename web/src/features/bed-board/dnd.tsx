import {
  type ClientRect,
  type CollisionDetection,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type DragStartEvent,
  MeasuringStrategy,
  MouseSensor,
  pointerWithin,
  rectIntersection,
  TouchSensor,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { type ReactNode, useCallback, useState } from 'react';

// The only file that knows dnd-kit (guide web, section 11). There is no keyboard sensor: Move mode serves the keyboard.

const MOUSE = { activationConstraint: { distance: 4 } };
/** A finger that rests for 200 ms drags; one that moves before that scrolls. */
const TOUCH = { activationConstraint: { delay: 200, tolerance: 8 } };
/** Beds are never transformed: their plain rectangle spares a computed style for each of 200 beds. */
function plainRect(element: HTMLElement): ClientRect {
  const { top, left, right, bottom, width, height } = element.getBoundingClientRect();
  return { top, left, right, bottom, width, height };
}

const MEASURING = { droppable: { strategy: MeasuringStrategy.WhileDragging, measure: plainRect } };

const underPointer: CollisionDetection = (input) => {
  const hits = pointerWithin(input);
  return hits.length > 0 ? hits : rectIntersection(input);
};

// The board has one live region of its own, so dnd-kit says nothing.
const SILENT = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};

interface DndBoardProps {
  readonly onDrag: (guestId: string) => void;
  /** `bedId` is null when the guest was let go where no bed is. */
  readonly onDrop: (guestId: string, bedId: string | null) => void;
  readonly onCancel: () => void;
  /** What follows the pointer; null while nothing is dragged. */
  readonly overlay: ReactNode;
  readonly children: ReactNode;
}

/** The area in which guests are dragged to beds by mouse and by touch. */
export function DndBoard({ onDrag, onDrop, onCancel, overlay, children }: DndBoardProps) {
  const sensors = useSensors(useSensor(MouseSensor, MOUSE), useSensor(TouchSensor, TOUCH));
  // Never put into the page: dnd-kit's empty live region would stand beside ours.
  const [offPage] = useState(() => document.createElement('div'));
  const handleStart = useCallback((event: DragStartEvent) => onDrag(String(event.active.id)), [onDrag]);
  const handleEnd = useCallback(
    (event: DragEndEvent) => onDrop(String(event.active.id), event.over ? String(event.over.id) : null),
    [onDrop],
  );
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={underPointer}
      measuring={MEASURING}
      accessibility={{
        announcements: SILENT,
        screenReaderInstructions: { draggable: '' },
        container: offPage,
        restoreFocus: false,
      }}
      onDragStart={handleStart}
      onDragEnd={handleEnd}
      onDragCancel={onCancel}
    >
      {children}
      <DragOverlay dropAnimation={null}>{overlay}</DragOverlay>
    </DndContext>
  );
}

/** Makes an element the handle of a guest. `attributes` are left out: they would promise a drag by keyboard. */
export function useGuestDrag(guestId: string, isEnabled: boolean) {
  const { setNodeRef, listeners, isDragging } = useDraggable({ id: guestId, disabled: !isEnabled });
  return { ref: setNodeRef, listeners: isEnabled ? listeners : undefined, isDragging };
}

/** Makes an element the place where a guest may be let go. */
export function useBedDrop(bedId: string, isEnabled: boolean) {
  const { setNodeRef, isOver } = useDroppable({ id: bedId, disabled: !isEnabled });
  return { ref: setNodeRef, isOver };
}
