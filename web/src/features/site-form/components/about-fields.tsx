import { Switch, Text, TextInput } from '@mantine/core';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSaveFormContext } from '@/components/form/use-save-form-context';
import type { SiteFormKind, SiteFormValues } from '../site-form.schema';
import { AddressField } from './address-field';
import { DescriptionInput } from './description-input';
import { FormSection } from './form-section';
import { PhotosField } from './photos-field';
import classes from './site-form.module.css';

interface AboutFieldsProps {
  kind: SiteFormKind;
  /** Whether the organization is hidden from search, and the site with it. */
  isHidden: boolean;
}

/** What people see first: names, description, photos, address, and whether the site is found in search. */
export function AboutFields({ kind, isHidden }: AboutFieldsProps) {
  const { t } = useTranslation('site-form');
  const { field, control, labels } = useSaveFormContext<SiteFormValues>();
  return (
    <FormSection step="about">
      <div className={classes.fields}>
        <TextInput {...field('name')} withAsterisk aria-required maxLength={200} />
        <TextInput
          {...field('alias')}
          label={`${labels['alias']} (${t('field.optional')})`}
          description={t('field.aliasHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={200}
        />
      </div>
      <DescriptionInput />
      <PhotosField isRequired={kind.isCommercial} />
      <AddressField />
      {kind.isNew ? (
        <Text className={classes.hint}>{t(isHidden ? 'field.hiddenWithHint' : 'field.newShownHint')}</Text>
      ) : (
        <Controller
          name="isDisabled"
          control={control}
          render={({ field: { ref, value, onChange, onBlur } }) => (
            <Switch
              ref={ref}
              size="md"
              label={labels['isDisabled']}
              description={t(value ? 'field.hiddenHint' : isHidden ? 'field.hiddenWithHint' : 'field.shownHint')}
              checked={!value}
              onChange={(event) => onChange(!event.currentTarget.checked)}
              onBlur={onBlur}
            />
          )}
        />
      )}
    </FormSection>
  );
}
