import { Skeleton } from '@mantine/core';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { lazyNamed } from '@/components/lazy-named';
import type { SiteFormValues } from '../site-form.schema';
import { useFieldText } from '../use-field-text';

const ImagesInput = lazyNamed(() => import('@/components/images-input'), 'ImagesInput', {
  fallback: <Skeleton height={130} radius="md" />,
});

interface PhotosFieldProps {
  isRequired: boolean;
  onUploading: (isUploading: boolean) => void;
}

/** The photos of the site in their order, the cover first. */
export function PhotosField({ isRequired, onUploading }: PhotosFieldProps) {
  const { t } = useTranslation('site-form');
  const { control } = useFormContext<SiteFormValues>();
  const error = useFieldText()('images');
  return (
    <Controller
      name="images"
      control={control}
      render={({ field }) => (
        <div data-invalid-group={error ? true : undefined}>
          <ImagesInput
            label={isRequired ? t('field.images') : `${t('field.images')} (${t('field.optional')})`}
            description={t('field.imagesHint')}
            prefix="site_"
            value={field.value}
            onChange={(paths) => {
              field.onChange(paths);
              field.onBlur();
            }}
            error={error}
            required={isRequired}
            onBusyChange={onUploading}
          />
        </div>
      )}
    />
  );
}
