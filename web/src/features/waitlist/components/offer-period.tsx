import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { FormFrame } from '@/components/form/form-frame';
import { useSaveForm } from '@/components/form/use-save-form';
import { textKeys } from '@/i18n/text-key';
import { useSaveOfferPeriod } from '../api/waitlist-commands';
import classes from './waitlist.module.css';

const LEAST_MINUTES = 5;
const MOST_MINUTES = 1440;

const text = textKeys('reservations');
const schema = z.object({
  offerMinutes: z.string().check(z.trim(), z.refine(isPeriod, text('waitlist.period.range'))),
});

/** How long an offer of this site stands. */
export function OfferPeriod({ siteId, minutes }: { siteId: string; minutes: number }) {
  const { t } = useTranslation('reservations', { keyPrefix: 'waitlist.period' });
  const { mutateAsync } = useSaveOfferPeriod(siteId);
  const form = useSaveForm({
    schema,
    labels: { offerMinutes: t('label') },
    values: { offerMinutes: String(minutes) },
    // The record has no other version: one who is typing is told of another time.
    version: minutes,
    save: ({ offerMinutes }) => mutateAsync(Number(offerMinutes)),
    done: (_, { offerMinutes }) => t('saved', { count: Number(offerMinutes) }),
    about: `offer period:${siteId}`,
    onDone: (_, values) => form.startOver(values, 'offerMinutes'),
  });
  return (
    <div className={classes.period}>
      <FormFrame form={form} withoutCancel isBlocked={!form.isChanged}>
        <TextInput {...form.field('offerMinutes')} description={t('hint')} inputMode="numeric" maxLength={4} />
      </FormFrame>
    </div>
  );
}

function isPeriod(typed: string): boolean {
  const minutes = Number(typed);
  return /^\d+$/.test(typed.trim()) && minutes >= LEAST_MINUTES && minutes <= MOST_MINUTES;
}
