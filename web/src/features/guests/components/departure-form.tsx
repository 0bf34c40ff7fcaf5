import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import type { Schemas } from '@/api/client';
import { optionalDay } from '@/components/form/day';
import { DayField } from '@/components/form/day-field';
import { FieldRow } from '@/components/form/field-row';
import { FormFrame } from '@/components/form/form-frame';
import { useDayText } from '@/components/form/use-day-text';
import { useSaveForm } from '@/components/form/use-save-form';
import { SubmitButton } from '@/components/submit-button';
import { serverNow } from '@/lib/clock';
import { formatShortDay, isoDay } from '@/lib/time';
import { useSaveDeparture } from '../api/save-departure';
import { fullName } from '../ui/guest-facts.utils';
import classes from './guest-details.module.css';

const schema = z.object({ expectedDeparture: optionalDay });

interface DepartureFormProps {
  /** A guest with a bed. */
  guest: Schemas['Guest'];
  site: Pick<Schemas['SiteDetails'], 'timeZone'>;
}

/** The day on which a guest is expected to leave. It is information: nothing happens on that day by itself. */
export function DepartureForm({ guest, site }: DepartureFormProps) {
  const { t, i18n } = useTranslation(['guests', 'common']);
  const box = useRef<HTMLElement>(null);
  const { mutateAsync } = useSaveDeparture(guest);
  const form = useSaveForm({
    schema,
    labels: { expectedDeparture: t('departure.field') },
    values: { expectedDeparture: guest.expectedDeparture ?? '' },
    version: guest.version,
    format: { expectedDeparture: useDayText() },
    save: ({ expectedDeparture }, { version }) =>
      mutateAsync({ expectedDeparture: expectedDeparture || null, version: version ?? guest.version }),
    about: `guest:${guest.id}`,
    done: (saved) => {
      const day = saved.expectedDeparture;
      return day === null
        ? t('departure.removed', { guest: fullName(saved) })
        : t('departure.saved', { guest: fullName(saved), day: formatShortDay(day, i18n.language) });
    },
    onDone: (_, values) => {
      form.startOver(values);
      // The pressed button disappears, so the focus needs a new place.
      box.current?.querySelector('input')?.focus();
    },
  });
  const canSave = form.isChanged && form.conflicts.length === 0;
  return (
    <section ref={box} className={classes.panel} aria-labelledby="guest-departure">
      <h2 id="guest-departure" className={classes.heading}>
        {t('departure.title')}
      </h2>
      <FormFrame form={form} label={t('departure.title')} foot={<></>}>
        <FieldRow
          button={
            canSave ? (
              <SubmitButton size="md" loading={form.isSending}>
                {t('common:action.save')}
              </SubmitButton>
            ) : null
          }
        >
          <DayField
            form={form}
            name="expectedDeparture"
            min={isoDay(new Date(serverNow()), site.timeZone)}
            flex="1 1 140px"
          />
        </FieldRow>
      </FormFrame>
    </section>
  );
}
