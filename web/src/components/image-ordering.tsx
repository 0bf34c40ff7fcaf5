import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { rectSortingStrategy, SortableContext, sortableKeyboardCoordinates, useSortable } from '@dnd-kit/sortable';
import { ActionIcon, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { ArrowLeft, ArrowRight, GripVertical, Star, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './image-ordering.module.css';
import { moved } from './images-input.utils';
import { Picture } from './picture';

interface ImageOrderingProps {
  /** In their order; the first is the cover. */
  paths: readonly string[];
  onChange: (paths: string[]) => void;
  label: string;
}

type Step = 'move' | 'forward' | 'backward' | 'cover' | 'remove';

/** Where the focus goes after a step: these controls of that photo, the first that is there. */
interface Wish {
  path: string;
  steps: readonly Step[];
}

const MOUSE = { activationConstraint: { distance: 4 } };
/** A finger that rests for 200 ms drags; one that moves before that scrolls. */
const TOUCH = { activationConstraint: { delay: 200, tolerance: 8 } };
const KEYBOARD = { coordinateGetter: sortableKeyboardCoordinates };

/**
 * Photos in their order, with delete, move forward, move backward and make cover (spec A section 2); forward is hidden
 * for the last, backward and cover for the first. They may be dragged as well, by mouse, by finger, and from the handle by
 * the arrow keys.
 */
export function ImageOrdering({ paths, onChange, label }: ImageOrderingProps) {
  const { t } = useTranslation(['images', 'common']);
  const list = useRef<HTMLUListElement>(null);
  const wish = useRef<Wish | null>(null);
  const [said, setSaid] = useState('');
  const sensors = useSensors(
    useSensor(MouseSensor, MOUSE),
    useSensor(TouchSensor, TOUCH),
    useSensor(KeyboardSensor, KEYBOARD),
  );
  const [removed, setRemoved] = useState<{ path: string; index: number } | null>(null);

  // After each drawing: the photo has its new place by then, and the control that was pressed may be gone.
  useEffect(() => {
    const wanted = wish.current;
    if (!wanted) return;
    wish.current = null;
    const tile = [...(list.current?.children ?? [])].find((item) => item.getAttribute('data-path') === wanted.path);
    const controls = wanted.steps.map((step) => tile?.querySelector<HTMLElement>(`[data-step="${step}"]`));
    controls.find(Boolean)?.focus();
  });

  const place = (path: string, to: number, steps: readonly Step[]) => {
    onChange(moved(paths, paths.indexOf(path), to));
    setSaid(to === 0 ? t('isCover') : t('isAt', { position: to + 1, count: paths.length }));
    wish.current = { path, steps };
  };
  const remove = (path: string) => {
    const index = paths.indexOf(path);
    const next = paths[index + 1] ?? paths[index - 1];
    onChange(paths.filter((other) => other !== path));
    setRemoved({ path, index });
    setSaid(t('removed'));
    if (next) wish.current = { path: next, steps: ['remove'] };
  };
  const undo = () => {
    if (!removed) return;
    onChange([...paths.slice(0, removed.index), removed.path, ...paths.slice(removed.index)]);
    wish.current = { path: removed.path, steps: ['remove'] };
    setRemoved(null);
    setSaid(t('restored'));
  };

  const where = (path: string | number) => ({ position: paths.indexOf(String(path)) + 1, count: paths.length });
  const handleDragEnd = ({ active, activatorEvent, over }: DragEndEvent) => {
    const steps: Step[] = activatorEvent instanceof KeyboardEvent ? ['move'] : [];
    if (over && over.id !== active.id) place(String(active.id), paths.indexOf(String(over.id)), steps);
    else setSaid(t('left'));
  };

  return (
    <>
      {paths.length > 0 ? (
        <DndContext
          sensors={sensors}
          collisionDetection={closestCenter}
          accessibility={{
            announcements: {
              onDragStart: ({ active }) => t('lifted', where(active.id)),
              onDragOver: ({ active, over }) =>
                over ? t(over.id === active.id ? 'lifted' : 'over', where(over.id)) : undefined,
              // The status below tells the end.
              onDragEnd: () => undefined,
              onDragCancel: () => undefined,
            },
            screenReaderInstructions: { draggable: t('moveHint') },
          }}
          // What was said of the step before is old, and the same words are told again only after none.
          onDragStart={() => setSaid('')}
          onDragEnd={handleDragEnd}
          onDragCancel={() => setSaid(t('left'))}
        >
          <SortableContext items={[...paths]} strategy={rectSortingStrategy}>
            <ul ref={list} className={classes.list} aria-label={t('ordered', { label })}>
              {paths.map((path, index) => (
                <Tile
                  key={path}
                  path={path}
                  index={index}
                  isLast={index === paths.length - 1}
                  onPlace={place}
                  onRemove={remove}
                />
              ))}
            </ul>
          </SortableContext>
        </DndContext>
      ) : null}
      {removed && !paths.includes(removed.path) ? (
        <Group gap="xs" mt="xs">
          <Text size="sm">{t('removed')}</Text>
          <Button variant="subtle" size="xs" onClick={undo}>
            {t('common:action.undo')}
          </Button>
        </Group>
      ) : null}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  );
}

interface TileProps {
  path: string;
  index: number;
  isLast: boolean;
  onPlace: (path: string, to: number, steps: readonly Step[]) => void;
  onRemove: (path: string) => void;
}

function Tile({ path, index, isLast, onPlace, onRemove }: TileProps) {
  const { t } = useTranslation('images');
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: path,
  });
  const isFirst = index === 0;
  const name = t('photo', { number: index + 1 });
  const step = (kind: Step, words: string, icon: ReactNode, act: () => void) => (
    <ActionIcon
      variant="default"
      size={32}
      data-step={kind}
      aria-label={`${words}: ${name}`}
      title={words}
      onClick={act}
    >
      {icon}
    </ActionIcon>
  );
  return (
    <li
      ref={setNodeRef}
      data-path={path}
      className={classes.tile}
      data-dragged={isDragging || undefined}
      style={{ transform: transform ? `translate(${transform.x}px, ${transform.y}px)` : undefined, transition }}
      {...listeners}
    >
      <Picture path={path} alt={name} width={240} height={160} isFluid />
      {isFirst ? <span className={classes.cover}>{t('cover')}</span> : null}
      <Group gap={6} className={classes.steps}>
        <ActionIcon
          ref={setActivatorNodeRef}
          variant="default"
          size={32}
          data-step="move"
          aria-label={`${t('move')}: ${name}`}
          aria-describedby={attributes['aria-describedby']}
          aria-pressed={isDragging}
          title={t('move')}
        >
          <GripVertical size={16} aria-hidden />
        </ActionIcon>
        {isFirst
          ? null
          : step('backward', t('backward'), <ArrowLeft size={16} aria-hidden />, () =>
              onPlace(path, index - 1, ['backward', 'forward']),
            )}
        {isLast
          ? null
          : step('forward', t('forward'), <ArrowRight size={16} aria-hidden />, () =>
              onPlace(path, index + 1, ['forward', 'backward']),
            )}
        {isFirst
          ? null
          : step('cover', t('makeCover'), <Star size={16} aria-hidden />, () =>
              onPlace(path, 0, ['forward', 'remove']),
            )}
        {step('remove', t('delete'), <Trash2 size={16} aria-hidden />, () => onRemove(path))}
      </Group>
    </li>
  );
}
