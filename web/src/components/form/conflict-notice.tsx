import { Alert, Button, Group, Skeleton, Stack } from '@mantine/core';
import { RefreshCw } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { steadyPress } from '@/lib/steady-press';
import { lazyNamed } from '../lazy-named';
import classes from './conflict-notice.module.css';
import type { Conflict } from './use-record';
import type { SaveForm } from './use-save-form';

/** Few forms have pictures. */
const ConflictPictures = lazyNamed(() => import('./conflict-pictures'), 'ConflictPictures', {
  texts: ['images'],
  // The buttons below do not move when the pictures come.
  fallback: <Skeleton height={112} mt={4} mb={8} />,
});

/** What the notice needs of a form; the same for every form. */
type ConflictForm = Pick<
  SaveForm<FieldValues>,
  'conflicts' | 'labels' | 'format' | 'pictures' | 'isSending' | 'takeTheirs' | 'saveMine' | 'refusal' | 'setRefusal'
> & {
  formState: Pick<SaveForm<FieldValues>['formState'], 'isSubmitted'>;
};

/**
 * Shows what someone else saved and what the user typed, and lets the user choose. If they changed different fields, there is
 * nothing to choose: both are in the form already, to be saved or edited further.
 */
export function ConflictNotice({ form }: { form: ConflictForm }) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const hasConflicts = form.conflicts.length > 0;
  const isChoice = form.conflicts.some(({ isMine }) => isMine);
  const { isSubmitted } = form.formState;
  useEffect(() => {
    if (!hasConflicts) return undefined;
    const around = box.current?.closest('form');
    const goHere = () => {
      box.current?.scrollIntoView({ block: 'nearest' });
      box.current?.focus({ preventScroll: true });
    };
    // Whoever types in a field stays there, and comes here by Enter. After a press of Save its button is gone.
    if (isSubmitted || !around?.contains(document.activeElement)) goHere();
    // Without a button that submits, Enter submits nothing.
    const handleKey = ({ key, target }: KeyboardEvent) => {
      if (key === 'Enter' && target instanceof HTMLInputElement && target.ariaExpanded !== 'true') goHere();
    };
    around?.addEventListener('submit', goHere);
    around?.addEventListener('keydown', handleKey);
    return () => {
      around?.removeEventListener('submit', goHere);
      around?.removeEventListener('keydown', handleKey);
      // The Save button is back: return the focus to it.
      if (document.activeElement === document.body) around?.querySelector<HTMLElement>('[type="submit"]')?.focus();
    };
  }, [hasConflicts, isSubmitted]);
  const { refusal, setRefusal } = form;
  useEffect(() => {
    // The question says so itself.
    if (hasConflicts && refusal === t('form.changedMeanwhile')) setRefusal(undefined);
  }, [hasConflicts, refusal, setRefusal, t]);
  if (!hasConflicts) return null;
  return (
    <Alert
      ref={box}
      className={classes.notice}
      tabIndex={-1}
      color="yellow"
      role="alert"
      icon={<RefreshCw size={18} aria-hidden />}
      title={t('conflict.title')}
    >
      <Stack gap="sm">
        <dl className={classes.fields}>
          {form.conflicts.map((conflict) => (
            <ConflictValues key={conflict.name} form={form} conflict={conflict} />
          ))}
        </dl>
        <Group gap="sm">
          {/* Steady: the page moves up once it is answered, and below a form there may be switches that save at once. */}
          <Button {...steadyPress} variant="default" onClick={form.takeTheirs}>
            {t(isChoice ? 'conflict.takeTheirs' : 'conflict.keepEditing')}
          </Button>
          <Button {...steadyPress} loading={form.isSending} onClick={() => void form.saveMine()}>
            {t(isChoice ? 'conflict.saveMine' : 'conflict.saveBoth')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

interface ConflictValuesProps {
  form: Pick<ConflictForm, 'format' | 'labels' | 'pictures'>;
  conflict: Conflict;
}

/** One field: the saved value and, if the user changed it too, the typed one. */
function ConflictValues({ form, conflict }: ConflictValuesProps) {
  const { t } = useTranslation();
  const { name, theirs, mine, isMine, removed } = conflict;
  const format = (value: unknown): string | undefined => {
    const formatValue = form.format[name];
    if (formatValue) return formatValue(value as never) || t('conflict.empty');
    if (typeof value === 'boolean') return t(value ? 'conflict.on' : 'conflict.off');
    return typeof value === 'string' ? value || t('conflict.empty') : undefined;
  };
  const label = form.labels[name] ?? name;
  const prefix = form.pictures[name];
  if (prefix) {
    // A path tells nobody which picture it is.
    const shown = (value: unknown, whose: 'theirs' | 'mine') => {
      const paths = pathsIn(value);
      const words = paths.length > 0 && !form.format[name] ? '' : (format(value) ?? t('conflict.empty'));
      return (
        <dd>
          {t(`conflict.${whose}`, { value: words })}
          {paths.length > 0 ? (
            <ConflictPictures
              paths={paths}
              prefix={prefix}
              label={label}
              whose={whose}
              removed={whose === 'theirs' ? removed.length : 0}
            />
          ) : null}
        </dd>
      );
    };
    return (
      <div className={classes.pair} data-many={Array.isArray(theirs) || undefined}>
        <dt>{label}</dt>
        {shown(theirs, 'theirs')}
        {isMine ? shown(mine, 'mine') : null}
      </div>
    );
  }
  const [saved, typed] = [format(theirs), format(mine)];
  return (
    <div>
      <dt>{label}</dt>
      <dd>{saved === undefined ? t('conflict.changed') : t('conflict.theirs', { value: saved })}</dd>
      {isMine && typed !== undefined ? <dd>{t('conflict.mine', { value: typed })}</dd> : null}
    </div>
  );
}

/** Returns the paths in the value of a picture field: one, none, or those of several photos. */
function pathsIn(value: unknown): readonly string[] {
  const paths: readonly unknown[] = Array.isArray(value) ? value : [value];
  return paths.filter((path): path is string => typeof path === 'string' && path !== '');
}
