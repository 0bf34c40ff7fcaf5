import { Group, NativeSelect, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { PlacesInputLater } from '@/components/lazy-inputs';
import { PhoneInput } from '@/components/phone-input';
import { useCatalogNames } from '@/components/use-catalog-names';
import { choicesOf } from '../offer.utils';
import type { NewGuestModel } from '../use-new-guest';
import classes from './new-guest.module.css';
import { OtherChoices } from './other-choices';
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
  const ages = choicesOf(site, services.age);
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t('form.person')}</legend>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput
            {...register('firstName')}
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
        <Controller
          name="gender"
          control={control}
          render={({ field }) => (
            <Radio.Group
              label={t('form.gender')}
              error={invalid('gender')}
              withAsterisk
              value={field.value}
              onChange={field.onChange}
            >
              <Group gap="md" mt={4} mb={6}>
                {GENDERS.map((gender, index) => (
                  <Radio
                    key={gender}
                    ref={index === 0 ? field.ref : undefined}
                    value={gender}
                    label={t(`guests:gender.${gender}`)}
                  />
                ))}
              </Group>
            </Radio.Group>
          )}
        />
        <Controller
          name="ageServiceId"
          control={control}
          render={({ field }) => (
            <Radio.Group
              label={t('form.age')}
              error={invalid('ageServiceId')}
              withAsterisk
              value={field.value}
              onChange={field.onChange}
            >
              <Group gap="md" mt={4} mb={6}>
                {ages.served.map((age, index) => (
                  <Radio
                    key={age.id}
                    ref={index === 0 ? field.ref : undefined}
                    value={age.id}
                    label={names.service(age)}
                  />
                ))}
              </Group>
              {ages.others.length > 0 ? (
                <OtherChoices label={t('form.otherAges')} isChosen={ages.others.some(({ id }) => id === field.value)}>
                  <Group gap="md" mt={4} mb={6}>
                    {ages.others.map((age) => (
                      <Radio key={age.id} value={age.id} label={names.service(age)} />
                    ))}
                  </Group>
                </OtherChoices>
              ) : null}
            </Radio.Group>
          )}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <Controller
            name="phone"
            control={control}
            render={({ field }) => (
              <PhoneInput
                ref={field.ref}
                name={field.name}
                value={field.value}
                onChange={field.onChange}
                onBlur={field.onBlur}
                label={t('form.phone')}
                error={invalid('phone')}
                withAsterisk
                aria-required
                autoComplete="off"
              />
            )}
          />
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
    </fieldset>
  );
}
