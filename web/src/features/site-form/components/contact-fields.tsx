import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PhoneField } from '@/components/form/phone-field';
import { useSaveFormContext } from '@/components/form/use-save-form-context';
import type { SiteFormKind, SiteFormValues } from '../site-form.schema';
import { FormSection } from './form-section';
import classes from './site-form.module.css';

/** How the site is reached; a new one also names its admin, who is invited. */
export function ContactFields({ kind }: { kind: SiteFormKind }) {
  const { t } = useTranslation('site-form');
  const form = useSaveFormContext<SiteFormValues>();
  const { field, labels } = form;
  return (
    <FormSection step="contacts">
      <div className={classes.fields}>
        <PhoneField form={form} name="contactPhone" required />
        <TextInput
          {...field('contactWeb')}
          type="url"
          inputMode="url"
          label={`${labels['contactWeb']} (${t('field.optional')})`}
          placeholder="https://"
        />
        <TextInput {...field('contactEmail')} type="email" inputMode="email" withAsterisk aria-required />
      </div>
      {kind.isNew ? (
        <fieldset className={classes.group}>
          <legend className={classes.legend}>{t('field.admin')}</legend>
          <div className={classes.fields}>
            <TextInput {...field('adminFirstName')} withAsterisk aria-required maxLength={200} />
            <TextInput {...field('adminLastName')} withAsterisk aria-required maxLength={200} />
            <TextInput
              {...field('adminEmail')}
              type="email"
              inputMode="email"
              description={t('field.adminHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              withAsterisk
              aria-required
            />
          </div>
        </fieldset>
      ) : null}
    </FormSection>
  );
}
