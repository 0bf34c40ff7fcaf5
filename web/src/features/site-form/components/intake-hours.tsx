import { Checkbox, NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatClock, isAllDay } from '@/lib/time';
import { fromSlots, type IntakeValue, toSlots, withEnabled, withFrom, withTo } from '../intake.utils';
import classes from './site-form.module.css';

/** What is wrong with the two selects of one group of days. */
export interface IntakeErrors {
  from?: string;
  to?: string;
}

interface IntakeHoursProps {
  value: readonly IntakeValue[];
  onChange: (value: IntakeValue[]) => void;
  /** By the place of the group in `value`. */
  errors: readonly IntakeErrors[];
  /** Id of the text that says what is wrong with all of them. */
  describedBy?: string;
}

/** A checkbox and two selects for each group of days (spec A section 2, Intake hours control). */
export function IntakeHours({ value, onChange, errors, describedBy }: IntakeHoursProps) {
  const { t, i18n } = useTranslation('site-form');
  const label = (slot: string) => {
    if (isAllDay(slot)) return t('intake.allDay');
    const time = formatClock(slot, i18n.language);
    return slot === '24:00:00' ? t('intake.endOfDay', { time }) : time;
  };
  const options = (slots: readonly string[], chosen: string) => {
    const listed = chosen === '' || slots.includes(chosen) ? slots : [chosen, ...slots];
    const choices = listed.map((slot) => ({ value: slot, label: label(slot) }));
    return chosen === '' ? [{ value: '', label: t('intake.choose') }, ...choices] : choices;
  };
  return (
    <div className={classes.periods}>
      {value.map((period, index) => {
        const name = t(`intake.period.${period.timePeriod}`);
        const change = (next: IntakeValue) => onChange(value.map((one, place) => (place === index ? next : one)));
        return (
          <div key={period.timePeriod} className={classes.period} role="group" aria-label={name}>
            <div className={classes.periodDay}>
              <Checkbox
                label={name}
                checked={period.enabled}
                aria-describedby={describedBy}
                aria-invalid={describedBy ? true : undefined}
                onChange={(event) => change(withEnabled(period, event.currentTarget.checked))}
              />
            </div>
            {period.enabled ? (
              <div className={classes.times}>
                <NativeSelect
                  size="md"
                  label={t('intake.from')}
                  aria-label={t('intake.fromOf', { period: name })}
                  data={options(fromSlots(), period.from)}
                  value={period.from}
                  error={errors[index]?.from}
                  onChange={(event) => change(withFrom(period, event.currentTarget.value))}
                />
                <NativeSelect
                  size="md"
                  label={t('intake.to')}
                  aria-label={t('intake.toOf', { period: name })}
                  data={options(toSlots(period.from), period.to)}
                  value={period.to}
                  error={errors[index]?.to}
                  disabled={isAllDay(period.from)}
                  onChange={(event) => change(withTo(period, event.currentTarget.value))}
                />
              </div>
            ) : (
              <div className={`${classes.periodDay} ${classes.hint}`}>{t('intake.closed')}</div>
            )}
          </div>
        );
      })}
    </div>
  );
}
