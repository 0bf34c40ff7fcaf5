import { Button, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldMessage } from '@/api/field-message';
import { DayInput } from '@/components/day-input';
import { hasLongYear, INCOMPLETE_DAY } from '@/components/form/day';
import { FieldRow } from '@/components/form/field-row';
import { hasOwnDays, SPANS, spanOf } from '../numbers.utils';
import type { NumbersSearch } from '../numbers-search';
import classes from './numbers.module.css';

/** Two of them stand side by side on a phone, and an error makes none wider. */
const FIELD_WIDTH = '9.5rem';

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
      {isOwn ? <OwnDays search={search} shown={shown} error={error} onChange={onChange} /> : null}
    </div>
  );
}

function OwnDays({ search, shown, error, onChange }: RangePickerProps) {
  const { t } = useTranslation('dashboard', { keyPrefix: 'numbers' });
  const { t: common } = useTranslation('common');
  const [first, setFirst] = useState(search.from ?? shown?.from ?? '');
  const [last, setLast] = useState(search.to ?? shown?.to ?? '');
  /** Fields that had no whole day with a year of four digits when they were asked for. */
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const [inForce, setInForce] = useState({ from: search.from, to: search.to });
  // Other days from outside, such as by the back button, replace what is typed. The fields stay: one of them has the focus.
  if (search.from !== inForce.from || search.to !== inForce.to) {
    setInForce({ from: search.from, to: search.to });
    setFirst(search.from ?? shown?.from ?? '');
    setLast(search.to ?? shown?.to ?? '');
    setWrong([]);
  }
  const errorAt = (name: 'from' | 'to', day: string) => {
    if (wrong.includes(name) && day === INCOMPLETE_DAY) return common('form.incompleteDay');
    if (wrong.includes(name) && hasLongYear(day)) return common('form.invalidYear');
    return fieldMessage(error, `/${name}`);
  };
  return (
    <form
      aria-label={t('range.own')}
      // The browser's own messages are in its language, and gone after a moment.
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const inputs = [...event.currentTarget.querySelectorAll('input')];
        const invalid = inputs.filter(({ validity, value }) => !validity.valid || hasLongYear(value));
        setWrong(invalid.map(({ name }) => name));
        invalid[0]?.focus();
        if (invalid.length > 0) return;
        onChange({ days: undefined, from: first || undefined, to: last || undefined });
      }}
    >
      <FieldRow
        button={
          <Button type="submit" size="md" variant="default">
            {t('range.show')}
          </Button>
        }
      >
        <DayInput
          label={t('range.from')}
          name="from"
          value={first}
          error={errorAt('from', first)}
          onChange={setFirst}
          w={FIELD_WIDTH}
        />
        <DayInput
          label={t('range.to')}
          name="to"
          value={last}
          error={errorAt('to', last)}
          onChange={setLast}
          w={FIELD_WIDTH}
        />
      </FieldRow>
    </form>
  );
}
