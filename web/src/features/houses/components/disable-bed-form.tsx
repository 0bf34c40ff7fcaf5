import { Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormFrame } from '@/components/form/form-frame';
import { useSaveForm } from '@/components/form/use-save-form';
import { serverNow } from '@/lib/clock';
import { formatDay, isoDay } from '@/lib/time';
import { useSaveBed } from '../api/save-bed';
import { type Bed, draftOf } from '../houses.utils';
import { disableBedSchema, MAX_REASON_CHARS } from '../schema';

interface DisableBedFormProps {
  readonly siteId: string;
  readonly timeZone: string;
  /** The bed as it is by now. */
  readonly bed: Bed;
  readonly onDone: () => void;
}

/** Disables a bed with a reason and, if it is known, the day it is expected back. Of a disabled bed it changes both. */
export function DisableBedForm({ siteId, timeZone, bed, onDone }: DisableBedFormProps) {
  const { t, i18n } = useTranslation('houses');
  const { mutateAsync } = useSaveBed(siteId);
  const form = useSaveForm({
    schema: disableBedSchema,
    labels: { disabledReason: t('disable.reason'), expectedBack: t('disable.expectedBack') },
    values: { disabledReason: bed.disabledReason ?? '', expectedBack: bed.expectedBack ?? '' },
    version: bed.version,
    format: { expectedBack: (day) => (day ? formatDay(day, i18n.language) : '') },
    save: ({ disabledReason, expectedBack }, { version }) =>
      mutateAsync({ ...draftOf(bed), version, disabled: true, disabledReason, expectedBack: expectedBack || null }),
    about: `bed:${bed.id}`,
    done: ({ name }) => t(bed.disabled ? 'done.bedSaved' : 'done.bedDisabled', { bed: name }),
    onDone,
  });
  return (
    <FormFrame
      form={form}
      submitLabel={bed.disabled ? undefined : t('disable.confirm')}
      isBlocked={bed.disabled && !form.isChanged}
    >
      <Text>{t('disable.text', { bed: bed.name, house: bed.room.name })}</Text>
      <TextInput
        {...form.field('disabledReason')}
        description={t('disable.reasonHint')}
        data-autofocus
        required
        maxLength={MAX_REASON_CHARS}
      />
      <TextInput {...form.field('expectedBack')} type="date" min={isoDay(new Date(serverNow()), timeZone)} />
    </FormFrame>
  );
}
