import { ActionIcon, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { ArrowLeft, ArrowRight, Star, Trash2 } from 'lucide-react';
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

type Step = 'forward' | 'backward' | 'cover' | 'remove';

/** Where the focus goes after a step: these controls of that photo, the first that is there. */
interface Wish {
  path: string;
  steps: readonly Step[];
}

/**
 * Photos in their order, with delete, move forward, move backward and make cover (spec A section 2); forward is hidden
 * for the last, backward and cover for the first. A mouse may drag them as well.
 */
export function ImageOrdering({ paths, onChange, label }: ImageOrderingProps) {
  const { t } = useTranslation(['images', 'common']);
  const list = useRef<HTMLUListElement>(null);
  const wish = useRef<Wish | null>(null);
  const [said, setSaid] = useState('');
  const [dragged, setDragged] = useState<string | null>(null);
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

  return (
    <>
      {paths.length > 0 ? (
        <ul ref={list} className={classes.list} aria-label={t('ordered', { label })}>
          {paths.map((path, index) => (
            <Tile
              key={path}
              path={path}
              index={index}
              isLast={index === paths.length - 1}
              dragged={dragged}
              onDrag={setDragged}
              onPlace={place}
              onRemove={remove}
            />
          ))}
        </ul>
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
  /** The photo that a mouse is moving. */
  dragged: string | null;
  onDrag: (path: string | null) => void;
  onPlace: (path: string, to: number, steps: readonly Step[]) => void;
  onRemove: (path: string) => void;
}

function Tile({ path, index, isLast, dragged, onDrag, onPlace, onRemove }: TileProps) {
  const { t } = useTranslation('images');
  const [isOver, setOver] = useState(false);
  const isFirst = index === 0;
  const name = t('photo', { number: index + 1 });
  const isTarget = dragged !== null && dragged !== path;
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
    // Dragging is for the mouse alone; the buttons do the same for everybody.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      data-path={path}
      className={classes.tile}
      data-dragged={dragged === path || undefined}
      data-over={(isOver && isTarget) || undefined}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', '');
        onDrag(path);
      }}
      onDragEnd={() => onDrag(null)}
      onDragOver={(event) => {
        if (!isTarget) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (!isTarget) return;
        event.preventDefault();
        onPlace(dragged, index, []);
        onDrag(null);
      }}
    >
      <Picture path={path} alt={name} width={240} height={160} isFluid />
      {isFirst ? <span className={classes.cover}>{t('cover')}</span> : null}
      <Group gap={6} className={classes.steps}>
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
