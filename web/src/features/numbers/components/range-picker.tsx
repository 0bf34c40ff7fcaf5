import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldMessage } from '@/api/field-message';
import { hasOwnDays, SPANS, spanOf } from '../numbers.utils';
import type { NumbersSearch } from '../numbers-search';
import classes from './numbers.module.css';

interface RangePickerProps {
  search: NumbersSearch;
  /** The days that are shown. */
  shown?: { from: string; to: string } | undefined;
  /** Why the days that were chosen cannot be shown. */
  error: Error | null;
  onChange: (changes: Partial<NumbersSearch>) => void;
}

/** Chooses the days: up to today, or days of one's own, which come into force by the button or by Enter. */
export function RangePicker({ search, shown, error, onChange }: RangePickerProps) {
  const { t } = useTranslation('dashboard', { keyPrefix: 'numbers' });
  const [isChoosing, setIsChoosing] = useState(false);
  const isOwn = isChoosing || hasOwnDays(search);
  const handleSpan = (chosen: string) => {
    setIsChoosing(chosen === 'own');
    const days = Number(chosen);
    if (chosen !== 'own') onChange({ days: days === SPANS[0] ? undefined : days, from: undefined, to: undefined });
  };
  return (
    <div className={classes.range} data-print="hide" data-tour="numbers-range">
      <SegmentedControl
        className={classes.spans}
        aria-label={t('range.title')}
        value={isOwn ? 'own' : String(spanOf(search))}
        onChange={handleSpan}
        data={[
          ...SPANS.map((days) => ({ value: String(days), label: t('range.days', { count: days }) })),
          { value: 'own', label: t('range.own') },
        ]}
      />
      {isOwn ? (
        <OwnDays
          // Other days from outside, such as by the back button, replace what is typed.
          key={`${search.from} ${search.to}`}
          from={search.from ?? shown?.from}
          to={search.to ?? shown?.to}
          error={error}
          onChange={onChange}
        />
      ) : null}
    </div>
  );
}

interface OwnDaysProps {
  from: string | undefined;
  to: string | undefined;
  error: Error | null;
  onChange: RangePickerProps['onChange'];
}

function OwnDays({ from, to, error, onChange }: OwnDaysProps) {
  const { t } = useTranslation('dashboard', { keyPrefix: 'numbers' });
  const [first, setFirst] = useState(from ?? '');
  const [last, setLast] = useState(to ?? '');
  const errorAt = (pointer: string) => fieldMessage(error, pointer);
  return (
    <form
      className={classes.ownDays}
      aria-label={t('range.own')}
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ days: undefined, from: first || undefined, to: last || undefined });
      }}
    >
      <TextInput
        label={t('range.from')}
        type="date"
        value={first}
        error={errorAt('/from')}
        onChange={(event) => setFirst(event.currentTarget.value)}
      />
      <TextInput
        label={t('range.to')}
        type="date"
        value={last}
        error={errorAt('/to')}
        onChange={(event) => setLast(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {t('range.show')}
      </Button>
    </form>
  );
}
