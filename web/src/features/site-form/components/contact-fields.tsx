import { SimpleGrid, TextInput } from '@mantine/core';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { PhoneInput } from '@/components/phone-input';
import type { SiteFormKind, SiteFormValues } from '../site-form.schema';
import { useFieldText } from '../use-field-text';
import { FormSection } from './form-section';
import classes from './site-form.module.css';

/** How the site is reached; a new one also names its admin, who is invited. */
export function ContactFields({ kind }: { kind: SiteFormKind }) {
  const { t } = useTranslation('site-form');
  const { register, control } = useFormContext<SiteFormValues>();
  const fieldText = useFieldText();
  return (
    <FormSection step="contacts">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Controller
          name="contactPhone"
          control={control}
          render={({ field }) => (
            <PhoneInput
              ref={field.ref}
              name={field.name}
              value={field.value}
              onChange={field.onChange}
              onBlur={field.onBlur}
              label={t('field.contactPhone')}
              error={fieldText('contactPhone')}
              withAsterisk
              aria-required
              autoComplete="off"
            />
          )}
        />
        <TextInput
          {...register('contactWeb')}
          type="url"
          inputMode="url"
          label={`${t('field.contactWeb')} (${t('field.optional')})`}
          placeholder="https://"
          error={fieldText('contactWeb')}
          autoComplete="off"
        />
        <TextInput
          {...register('contactEmail')}
          type="email"
          inputMode="email"
          label={t('field.contactEmail')}
          error={fieldText('contactEmail')}
          withAsterisk
          aria-required
          autoComplete="off"
        />
      </SimpleGrid>
      {kind.isNew ? (
        <fieldset className={classes.group}>
          <legend className={classes.legend}>{t('field.admin')}</legend>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
            {(['adminFirstName', 'adminLastName'] as const).map((name) => (
              <TextInput
                key={name}
                {...register(name)}
                label={t(`field.${name}`)}
                error={fieldText(name)}
                withAsterisk
                aria-required
                maxLength={200}
                autoComplete="off"
              />
            ))}
            <TextInput
              {...register('adminEmail')}
              type="email"
              inputMode="email"
              label={t('field.adminEmail')}
              description={t('field.adminHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              error={fieldText('adminEmail')}
              withAsterisk
              aria-required
              autoComplete="off"
            />
          </SimpleGrid>
        </fieldset>
      ) : null}
    </FormSection>
  );
}
