import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import { Controller, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useCatalogNames } from '@/components/use-catalog-names';
import { MINORS, notServed } from '../offer.utils';
import type { NewGuestModel } from '../use-new-guest';
import { useInvalidText } from './use-invalid-text';

interface NotServedWarningProps {
  model: NewGuestModel;
  site: Schemas['SiteDetails'];
  services: Schemas['ServiceGroups'];
}

/** Says what the site does not serve of what is chosen, and asks whether the guest is to be added all the same. */
export function NotServedWarning({ model, site, services }: NotServedWarningProps) {
  const { t, i18n } = useTranslation('reservations');
  const names = useCatalogNames();
  const { control, formState } = model.form;
  const invalid = useInvalidText(formState.errors);
  const [gender, ageServiceId, serviceIds, typeOfClientServiceId] = useWatch({
    control,
    name: ['gender', 'ageServiceId', 'serviceIds', 'typeOfClientServiceId'],
  });
  const missing = notServed(site, services, { gender, ageServiceId, serviceIds, typeOfClientServiceId });
  if (missing.length === 0) return null;
  const list = new Intl.ListFormat(i18n.language).format(missing.map((service) => names.service(service)));
  return (
    <Alert color="yellow" role="status">
      <Stack gap="sm">
        {missing.some(({ id }) => id === MINORS) ? (
          <Text fw={650}>{t('form.noMinors', { site: site.name })}</Text>
        ) : null}
        <Text>{t('form.notServed', { site: site.name, list })}</Text>
        <Controller
          name="allowNotServed"
          control={control}
          render={({ field }) => (
            <Checkbox
              ref={field.ref}
              label={t('form.allowNotServed')}
              checked={field.value}
              onChange={(event) => field.onChange(event.currentTarget.checked)}
              onBlur={field.onBlur}
              error={invalid('allowNotServed')}
            />
          )}
        />
      </Stack>
    </Alert>
  );
}
