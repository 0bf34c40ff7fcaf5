import { TextInput } from '@mantine/core';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { SiteFormValues } from '../site-form.schema';
import { useFieldText } from '../use-field-text';
/** interim */
export function AddressField() {
  const { t } = useTranslation('site-form');
  const { register } = useFormContext<SiteFormValues>();
  return <TextInput {...register('address')} label={t('field.address')} error={useFieldText()('address')} />;
}
