import { Controller, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { PlacesInputLater } from '@/components/lazy-inputs';
import { useSaveFormContext } from '@/components/form/use-save-form-context';
import type { SiteFormValues } from '../site-form.schema';

/** The address, chosen from the list; typing takes the choice back. */
export function AddressField() {
  const { t } = useTranslation('site-form');
  const { control, labels, setValue, clearErrors, fieldText } = useSaveFormContext<SiteFormValues>();
  const placeId = useWatch({ control, name: 'placeId' });
  return (
    <Controller
      name="address"
      control={control}
      render={({ field }) => (
        <PlacesInputLater
          label={labels['address'] ?? ''}
          description={t('field.addressHint')}
          kind="address"
          value={{ label: field.value, placeId: placeId || null }}
          onChange={(place) => {
            // The id first: the rule of the address asks for it.
            setValue('placeId', place.placeId ?? '', { shouldDirty: true });
            field.onChange(place.label);
            if (place.placeId) clearErrors('address');
          }}
          onBlur={field.onBlur}
          error={fieldText('address')}
          required
        />
      )}
    />
  );
}
