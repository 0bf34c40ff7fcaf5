import { Group, NativeSelect, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { Controller, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { PictureInputLater } from '@/components/lazy-inputs';
import { useCatalogNames } from '@/components/use-catalog-names';
import { choicesOf, paymentMethods } from '../offer.utils';
import type { NewGuestModel } from '../use-new-guest';
import classes from './new-guest.module.css';
import { useInvalidText } from './use-invalid-text';

const CARD_SIDES = [
  ['insuranceCardFront', 'form.cardFront'],
  ['insuranceCardBack', 'form.cardBack'],
] as const;

interface PaymentFieldsProps {
  model: NewGuestModel;
  site: Schemas['SiteDetails'];
  services: Schemas['ServiceGroups'];
}

/** How the stay is paid: by method and insurer at commercial sites, by payment form at non-commercial ones. */
export function PaymentFields(props: PaymentFieldsProps) {
  const { t } = useTranslation('reservations');
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t('form.payment')}</legend>
      {props.site.isCommercial ? <CommercialFields {...props} /> : <PaymentForm {...props} />}
    </fieldset>
  );
}

function PaymentForm({ model, site }: PaymentFieldsProps) {
  const { t } = useTranslation('reservations');
  const names = useCatalogNames();
  const { register, formState } = model.form;
  const invalid = useInvalidText(formState.errors);
  return (
    <NativeSelect
      {...register('mediCalChoice')}
      label={t('form.mediCal')}
      error={invalid('mediCalChoice')}
      data={[{ value: '', label: t('form.notChosen') }, ...options(site.nonCommercialPaymentMethods, names.payment)]}
    />
  );
}

function CommercialFields({ model, site, services }: PaymentFieldsProps) {
  const { t } = useTranslation('reservations');
  const names = useCatalogNames();
  const { register, control, formState } = model.form;
  const invalid = useInvalidText(formState.errors);
  const method = useWatch({ control, name: 'paymentMethod' });
  const clients = choicesOf(site, services.client);
  return (
    <Stack gap="md">
      <NativeSelect
        {...register('typeOfClientServiceId')}
        label={t('form.typeOfClient')}
        error={invalid('typeOfClientServiceId')}
        withAsterisk
        aria-required
        data={[
          { value: '', label: t('form.choose') },
          ...options(clients.served, names.service),
          ...(clients.others.length > 0
            ? [{ group: t('form.otherClients'), items: options(clients.others, names.service) }]
            : []),
        ]}
      />
      <Controller
        name="paymentMethod"
        control={control}
        render={({ field }) => (
          <Radio.Group
            label={t('form.paymentMethod')}
            error={invalid('paymentMethod')}
            withAsterisk
            value={field.value}
            onChange={field.onChange}
          >
            <Group gap="md" mt={4} mb={6}>
              {paymentMethods(site).map((one, index) => (
                <Radio
                  key={one.id}
                  ref={index === 0 ? field.ref : undefined}
                  value={String(one.id)}
                  label={names.method(one)}
                />
              ))}
            </Group>
          </Radio.Group>
        )}
      />
      {model.rules.insuranceMethodIds.has(method) ? (
        <>
          <NativeSelect
            {...register('insuranceCompanyId')}
            label={t('form.insuranceCompany')}
            error={invalid('insuranceCompanyId')}
            withAsterisk
            aria-required
            data={[{ value: '', label: t('form.choose') }, ...options(site.insuranceCompanies, ({ name }) => name)]}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            <TextInput
              {...register('policyNumber')}
              label={t('form.policyNumber')}
              error={invalid('policyNumber')}
              autoComplete="off"
            />
            <TextInput
              {...register('groupNumber')}
              label={t('form.groupNumber')}
              error={invalid('groupNumber')}
              autoComplete="off"
            />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            {CARD_SIDES.map(([side, label]) => (
              <Controller
                key={side}
                name={side}
                control={control}
                render={({ field }) => (
                  <PictureInputLater
                    prefix="card_"
                    label={t(label)}
                    value={field.value}
                    onChange={field.onChange}
                    error={invalid(side)}
                    onBusyChange={model.setUploading(side)}
                  />
                )}
              />
            ))}
          </SimpleGrid>
        </>
      ) : null}
    </Stack>
  );
}

function options<Item extends { id: string }>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): { value: string; label: string }[] {
  return items.map((item) => ({ value: item.id, label: nameOf(item) }));
}
