import { Textarea, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useId } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSaveFormContext } from '@/components/form/use-save-form-context';
import { descriptionState } from '../description.utils';
import type { SiteFormValues } from '../site-form.schema';
import classes from './site-form.module.css';

/** A second of rest: who types is not talked over. */
const ANNOUNCE_MILLISECONDS = 1000;

/** The description with its counter, red outside 80 to 2000 characters (spec A section 5). */
export function DescriptionInput() {
  const { t } = useTranslation('site-form');
  const { field, control } = useSaveFormContext<SiteFormValues>();
  const input = field('description');
  const counterId = useId();
  const state = descriptionState(useWatch({ control, name: 'description' }));
  const range = t('counter.range', { length: state.length });
  const excess =
    state.kind === 'short'
      ? t('counter.missing', { count: state.missing })
      : state.kind === 'long'
        ? t('counter.over', { count: state.over })
        : '';
  const [spoken] = useDebouncedValue(state.length > 0 ? `${range} ${excess}` : '', ANNOUNCE_MILLISECONDS);
  return (
    <div>
      <Textarea {...input} withAsterisk aria-required autosize minRows={4} maxRows={14} aria-describedby={counterId} />
      <div
        id={counterId}
        className={classes.counter}
        data-wrong={state.kind !== 'good' && (state.length > 0 || Boolean(input.error))}
      >
        <span>{state.length > 0 ? excess : ''}</span>
        <span>{range}</span>
      </div>
      <VisuallyHidden role="status">{spoken}</VisuallyHidden>
    </div>
  );
}
