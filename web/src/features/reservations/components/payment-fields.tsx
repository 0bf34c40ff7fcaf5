import { NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { FieldGroup } from '@/components/form/field-group';
import { PictureField } from '@/components/form/picture-field';
import { RadioField } from '@/components/form/radio-field';
import { useCatalogNames } from '@/components/use-catalog-names';
import { choicesOf, paymentMethods } from '../offer.utils';
import type { NewGuestModel } from '../use-new-guest';
import { useGuestFields } from './use-guest-fields';
import { useInvalidText } from './use-invalid-text';

const CARD_SIDES = ['insuranceCardFront', 'insuranceCardBack'] as const;

interface PaymentFieldsProps {
  model: NewGuestModel;
  site: Schemas['SiteDetails'];
  services: Schemas['ServiceGroups'];
}

/** How the stay is paid: by method and insurer at commercial sites, by payment form at non-commercial ones. */
export function PaymentFields(props: PaymentFieldsProps) {
  const { t } = useTranslation('reservations');
  return (
    <FieldGroup title={t('form.payment')}>
      {props.site.isCommercial ? <CommercialFields {...props} /> : <PaymentForm {...props} />}
    </FieldGroup>
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
  const fields = { ...useGuestFields(model), setUploading: model.setUploading };
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
      <RadioField
        form={fields}
        name="paymentMethod"
        required
        choices={paymentMethods(site).map((one) => ({ value: String(one.id), label: names.method(one) }))}
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
            {CARD_SIDES.map((side) => (
              <PictureField key={side} form={fields} name={side} prefix="card_" />
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
