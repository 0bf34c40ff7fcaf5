import { NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { FieldGroup } from '@/components/form/field-group';
import { PhoneField } from '@/components/form/phone-field';
import { RadioField, Radios } from '@/components/form/radio-field';
import { PlacesInputLater } from '@/components/lazy-inputs';
import { useCatalogNames } from '@/components/use-catalog-names';
import { choicesOf } from '../offer.utils';
import type { NewGuestModel } from '../use-new-guest';
import { EarlierOfPerson } from './earlier-of-person';
import { OtherChoices } from './other-choices';
import { useGuestFields } from './use-guest-fields';
import { useInvalidText } from './use-invalid-text';

const GENDERS = ['Male', 'Female', 'Other'] as const;
const LANGUAGES = ['en', 'es'] as const;

interface PersonFieldsProps {
  model: NewGuestModel;
  site: Schemas['SiteDetails'];
  services: Schemas['ServiceGroups'];
}

/** Who the guest is and how to reach the guest. */
export function PersonFields({ model, site, services }: PersonFieldsProps) {
  const { t } = useTranslation(['reservations', 'guests', 'shell']);
  const names = useCatalogNames();
  const { register, control, formState } = model.form;
  const invalid = useInvalidText(formState.errors);
  const fields = useGuestFields(model);
  const ages = choicesOf(site, services.age);
  const named = (choices: readonly Schemas['Service'][]) =>
    choices.map((choice) => ({ value: choice.id, label: names.service(choice) }));
  return (
    <FieldGroup title={t('form.person')}>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput
            {...register('firstName')}
            data-autofocus
            label={t('form.firstName')}
            error={invalid('firstName')}
            withAsterisk
            aria-required
            autoComplete="off"
          />
          <TextInput
            {...register('lastName')}
            label={t('form.lastName')}
            error={invalid('lastName')}
            withAsterisk
            aria-required
            autoComplete="off"
          />
        </SimpleGrid>
        <RadioField
          form={fields}
          name="gender"
          required
          choices={GENDERS.map((gender) => ({ value: gender, label: t(`guests:gender.${gender}`) }))}
        />
        <RadioField form={fields} name="ageServiceId" required choices={named(ages.served)}>
          {(chosen) =>
            ages.others.length > 0 ? (
              <OtherChoices label={t('form.otherAges')} isChosen={ages.others.some(({ id }) => id === chosen)}>
                <Radios choices={named(ages.others)} />
              </OtherChoices>
            ) : null
          }
        </RadioField>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <PhoneField form={fields} name="phone" required />
          <TextInput
            {...register('email')}
            type="email"
            inputMode="email"
            label={t('form.email')}
            error={invalid('email')}
            withAsterisk
            aria-required
            autoComplete="off"
          />
          <NativeSelect
            {...register('language')}
            label={t('form.language')}
            data={LANGUAGES.map((language) => ({ value: language, label: t(`shell:language.${language}`) }))}
          />
        </SimpleGrid>
        <EarlierOfPerson model={model} site={site} />
        <Controller
          name="location"
          control={control}
          render={({ field }) => (
            <PlacesInputLater
              kind="city"
              name={field.name}
              // What was typed counts, too: a guest may come from a place that no list knows.
              value={{ label: field.value, placeId: null }}
              onChange={({ label }) => field.onChange(label)}
              onBlur={field.onBlur}
              label={t('form.city')}
              description={t('form.cityHint')}
              error={invalid('location')}
            />
          )}
        />
      </Stack>
    </FieldGroup>
  );
}
