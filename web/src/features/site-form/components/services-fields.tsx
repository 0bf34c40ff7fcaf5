import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { PAYMENT_OPTIONS, useCatalogNames } from '@/components/use-catalog-names';
import { servicesQuery } from '@/features/sites/api/services-query';
import { useSaveFormContext } from '@/components/form/use-save-form-context';
import { languagesQuery, screeningPeriodsQuery } from '../api/choices-query';
import { orderLanguages, screeningChoices } from '../languages.utils';
import type { SiteFormKind, SiteFormValues } from '../site-form.schema';
import { CheckboxField } from './checkbox-field';
import { FormSection } from './form-section';
import classes from './site-form.module.css';

interface ServicesFieldsProps {
  kind: SiteFormKind;
  organizationName: string;
  /** How guests of the organization's sites pay; shown at commercial sites. */
  organizationMethods: readonly Schemas['ReservationPaymentMethod'][];
  /** The stored screening period of the site, which stays among the choices. */
  storedPeriod?: Schemas['ScreeningPeriod'];
}

/** What the site offers and to whom, its languages, how long it holds a reservation, how guests pay. */
export function ServicesFields({ kind, organizationName, organizationMethods, storedPeriod }: ServicesFieldsProps) {
  const { t, i18n } = useTranslation('site-form');
  const { field, labels } = useSaveFormContext<SiteFormValues>();
  const names = useCatalogNames();
  const { data: services } = useSuspenseQuery(servicesQuery(kind.isCommercial));
  const { data: languages } = useSuspenseQuery(languagesQuery);
  const { data: periods } = useSuspenseQuery(screeningPeriodsQuery);
  const named = (all: typeof languages) => all.map((one) => ({ id: one.id, name: names.language(one) }));
  return (
    <FormSection step="services">
      <CheckboxField
        name="serviceIds"
        isRequired
        groups={(['general', 'disability', 'gender', 'age', 'client'] as const).map((group) => ({
          label: t(`services.${group}`),
          choices: services[group].map((service) => ({ id: service.id, name: names.service(service) })),
        }))}
      />
      <CheckboxField
        name="languageIds"
        isRequired
        isShort
        groups={[{ label: labels['languageIds'] ?? '', choices: orderLanguages(named(languages), i18n.language) }]}
      />
      <NativeSelect
        {...field('screeningPeriod')}
        size="md"
        maw={360}
        description={t('field.screeningHint')}
        withAsterisk
        aria-required
        data={[
          { value: '', label: t('field.choose') },
          ...screeningChoices(periods, storedPeriod).map(({ value, totalHours }) => ({
            value,
            label: t('services.hours', { count: totalHours }),
          })),
        ]}
      />
      {kind.isNew ? null : (
        // Not the kit's NumberInput: that drops what is no number; here it stays, and the error says what is wrong.
        <TextInput
          {...field('lengthOfStayDaysMax')}
          label={`${labels['lengthOfStayDaysMax']} (${t('field.optional')})`}
          description={t('field.longestStayHint')}
          size="md"
          maw={360}
          inputMode="numeric"
          maxLength={4}
        />
      )}
      {kind.isCommercial ? (
        <div className={classes.group}>
          <Text className={classes.legend}>{t('field.organizationMethods')}</Text>
          {organizationMethods.length > 0 ? (
            <ul className={classes.methods}>
              {organizationMethods.map((method) => (
                <li key={method.id}>{names.method(method)}</li>
              ))}
            </ul>
          ) : (
            <Text>{t('field.noMethods')}</Text>
          )}
          <Text className={classes.hint}>{t('field.organizationMethodsHint', { organization: organizationName })}</Text>
        </div>
      ) : (
        <CheckboxField
          name="nonCommercialPaymentMethodIds"
          groups={[
            {
              label: labels['nonCommercialPaymentMethodIds'] ?? '',
              choices: PAYMENT_OPTIONS.map((id) => ({ id, name: names.payment({ id, name: id }) })),
            },
          ]}
        />
      )}
    </FormSection>
  );
}
