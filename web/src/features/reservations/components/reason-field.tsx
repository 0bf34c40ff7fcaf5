import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { NewGuestModel } from '../use-new-guest';
import { useInvalidText } from './use-invalid-text';

/** Why a walk-in is added while reservations hold every vacant bed; the reason goes into the audit log. */
export function ReasonField({ model }: { model: NewGuestModel }) {
  const { t } = useTranslation('reservations');
  const { register, formState } = model.form;
  const invalid = useInvalidText(formState.errors);
  return (
    <Alert role="status" color="yellow">
      <Stack gap="sm">
        <Text>{t('form.overCapacity')}</Text>
        <TextInput
          {...register('overCapacityReason')}
          label={t('form.reason')}
          description={t('form.reasonHint')}
          error={invalid('overCapacityReason')}
          withAsterisk
          aria-required
          autoComplete="off"
        />
      </Stack>
    </Alert>
  );
}
