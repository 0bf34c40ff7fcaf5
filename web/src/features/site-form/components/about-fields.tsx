import { SimpleGrid, Switch, Text, TextInput } from '@mantine/core';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { SiteFormKind, SiteFormValues } from '../site-form.schema';
import { useFieldText } from '../use-field-text';
import { AddressField } from './address-field';
import { DescriptionInput } from './description-input';
import { FormSection } from './form-section';
import { PhotosField } from './photos-field';
import classes from './site-form.module.css';

interface AboutFieldsProps {
  kind: SiteFormKind;
  onUploading: (isUploading: boolean) => void;
}

/** What people see first: names, description, photos, address, and whether the site is found in search. */
export function AboutFields({ kind, onUploading }: AboutFieldsProps) {
  const { t } = useTranslation('site-form');
  const { register, control } = useFormContext<SiteFormValues>();
  const fieldText = useFieldText();
  return (
    <FormSection step="about">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TextInput
          {...register('name')}
          label={t('field.name')}
          error={fieldText('name')}
          withAsterisk
          aria-required
          maxLength={200}
          autoComplete="off"
        />
        <TextInput
          {...register('alias')}
          label={`${t('field.alias')} (${t('field.optional')})`}
          description={t('field.aliasHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          error={fieldText('alias')}
          maxLength={200}
          autoComplete="off"
        />
      </SimpleGrid>
      <DescriptionInput />
      <PhotosField isRequired={kind.isCommercial} onUploading={onUploading} />
      <AddressField />
      {kind.isNew ? (
        <Text className={classes.hint}>{t('field.newShownHint')}</Text>
      ) : (
        <Controller
          name="isDisabled"
          control={control}
          render={({ field }) => (
            <Switch
              ref={field.ref}
              size="md"
              label={t('field.shown')}
              description={t(field.value ? 'field.hiddenHint' : 'field.shownHint')}
              checked={!field.value}
              onChange={(event) => field.onChange(!event.currentTarget.checked)}
              onBlur={field.onBlur}
            />
          )}
        />
      )}
    </FormSection>
  );
}
