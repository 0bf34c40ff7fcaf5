import { Checkbox, SimpleGrid, Stack } from '@mantine/core';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { FieldGroup } from '@/components/form/field-group';
import { useCatalogNames } from '@/components/use-catalog-names';
import { choicesOf } from '../offer.utils';
import type { NewGuestModel } from '../use-new-guest';
import { OtherChoices } from './other-choices';
import { useInvalidText } from './use-invalid-text';

interface NeedsFieldsProps {
  model: NewGuestModel;
  site: Schemas['SiteDetails'];
  services: Schemas['ServiceGroups'];
}

/** What the guest needs: general services, at least one, and disabilities; what the site does not offer comes after. */
export function NeedsFields({ model, site, services }: NeedsFieldsProps) {
  const { t } = useTranslation('reservations');
  const { control, formState } = model.form;
  const invalid = useInvalidText(formState.errors);
  const general = choicesOf(site, services.general);
  const disability = choicesOf(site, services.disability);
  return (
    <FieldGroup title={t('form.needs')}>
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
              <Choices services={general.served} firstRef={field.ref} />
              <Others label={t('form.otherServices')} services={general.others} chosen={field.value} />
            </Checkbox.Group>
            {services.disability.length > 0 ? (
              <Checkbox.Group
                label={t('form.disability')}
                description={t('form.optional')}
                value={field.value}
                onChange={field.onChange}
              >
                <Choices services={disability.served} />
                <Others label={t('form.otherDisabilities')} services={disability.others} chosen={field.value} />
              </Checkbox.Group>
            ) : null}
          </Stack>
        )}
      />
    </FieldGroup>
  );
}

interface OthersProps {
  label: string;
  services: readonly Schemas['Service'][];
  chosen: readonly string[];
}

function Others({ label, services, chosen }: OthersProps) {
  if (services.length === 0) return null;
  return (
    <OtherChoices label={label} isChosen={services.some(({ id }) => chosen.includes(id))}>
      <Choices services={services} />
    </OtherChoices>
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
