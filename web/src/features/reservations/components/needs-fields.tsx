import { Checkbox, SimpleGrid, Stack } from '@mantine/core';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useCatalogNames } from '@/components/use-catalog-names';
import type { NewGuestModel } from '../use-new-guest';
import classes from './new-guest.module.css';
import { useInvalidText } from './use-invalid-text';

interface NeedsFieldsProps {
  model: NewGuestModel;
  services: Schemas['ServiceGroups'];
}

/** What the guest needs: general services, at least one, and disabilities. */
export function NeedsFields({ model, services }: NeedsFieldsProps) {
  const { t } = useTranslation('reservations');
  const { control, formState } = model.form;
  const invalid = useInvalidText(formState.errors);
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t('form.needs')}</legend>
      <Controller
        name="serviceIds"
        control={control}
        render={({ field }) => (
          <Stack gap="md">
            <Checkbox.Group
              label={t('form.general')}
              error={invalid('serviceIds')}
              withAsterisk
              value={field.value}
              onChange={field.onChange}
            >
              <Choices services={services.general} firstRef={field.ref} />
            </Checkbox.Group>
            {services.disability.length > 0 ? (
              <Checkbox.Group
                label={t('form.disability')}
                description={t('form.optional')}
                value={field.value}
                onChange={field.onChange}
              >
                <Choices services={services.disability} />
              </Checkbox.Group>
            ) : null}
          </Stack>
        )}
      />
    </fieldset>
  );
}

function Choices({
  services,
  firstRef,
}: {
  services: readonly Schemas['Service'][];
  firstRef?: (input: HTMLInputElement | null) => void;
}) {
  const names = useCatalogNames();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="xs" mt={4} mb={6}>
      {services.map((service, index) => (
        <Checkbox
          key={service.id}
          ref={index === 0 ? firstRef : undefined}
          value={service.id}
          label={names.service(service)}
        />
      ))}
    </SimpleGrid>
  );
}
