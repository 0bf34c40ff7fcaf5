import { Text, TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { DayField } from '@/components/form/day-field';
import { FormFrame } from '@/components/form/form-frame';
import { RadioField } from '@/components/form/radio-field';
import { useDayText } from '@/components/form/use-day-text';
import { useSaveForm } from '@/components/form/use-save-form';
import { serverNow } from '@/lib/clock';
import { isoDay } from '@/lib/time';
import { useSaveBed } from '../api/save-bed';
import { type Bed, draftOf } from '../houses.utils';
import { disableBedSchema, MAX_DAYS_AHEAD, MAX_REASON_CHARS } from '../schema';

interface DisableBedFormProps {
  readonly siteId: string;
  readonly timeZone: string;
  /** The bed as it is by now. */
  readonly bed: Bed;
  readonly onDone: () => void;
}

const KINDS: readonly Schemas['OutageKind'][] = ['out-of-service', 'cleaning'];
const DAY_MS = 86_400_000;

/** Disables a bed: what it waits for, why, and if it is known the day it is expected back. Of a disabled bed it changes these. */
export function DisableBedForm({ siteId, timeZone, bed, onDone }: DisableBedFormProps) {
  const { t } = useTranslation('houses');
  const { mutateAsync } = useSaveBed(siteId);
  const form = useSaveForm({
    schema: disableBedSchema,
    labels: {
      disabledKind: t('disable.kind'),
      disabledReason: t('disable.reason'),
      expectedBack: t('disable.expectedBack'),
    },
    values: {
      disabledKind: bed.disabledKind ?? 'out-of-service',
      disabledReason: bed.disabledReason ?? '',
      expectedBack: bed.expectedBack ?? '',
    },
    version: bed.version,
    format: {
      disabledKind: (kind) => t(`outage.${kind}`),
      expectedBack: useDayText(),
    },
    save: ({ expectedBack, ...values }, { version }) =>
      mutateAsync({ ...draftOf(bed), ...values, version, disabled: true, expectedBack: expectedBack || null }),
    about: `bed:${bed.id}`,
    done: ({ name }) => t(bed.disabled ? 'done.bedSaved' : 'done.bedDisabled', { bed: name }),
    onDone,
  });
  const isCleaning = form.watch('disabledKind') === 'cleaning';
  const { clearErrors } = form;
  useEffect(() => {
    if (isCleaning) clearErrors('disabledReason');
  }, [isCleaning, clearErrors]);
  const now = serverNow();
  return (
    <FormFrame
      form={form}
      submitLabel={bed.disabled ? undefined : t('disable.confirm')}
      isBlocked={bed.disabled && !form.isChanged}
    >
      <Text>{t('disable.text', { bed: bed.name, house: bed.room.name })}</Text>
      <RadioField
        form={form}
        name="disabledKind"
        choices={KINDS.map((kind) => ({ value: kind, label: t(`outage.${kind}`) }))}
      />
      <TextInput
        {...form.field('disabledReason')}
        label={t(isCleaning ? 'disable.reasonOptional' : 'disable.reason')}
        description={t(isCleaning ? 'disable.cleaningHint' : 'disable.reasonHint')}
        data-autofocus
        required={!isCleaning}
        maxLength={MAX_REASON_CHARS}
      />
      <DayField
        form={form}
        name="expectedBack"
        min={isoDay(new Date(now), timeZone)}
        max={isoDay(new Date(now + MAX_DAYS_AHEAD * DAY_MS), timeZone)}
      />
    </FormFrame>
  );
}
