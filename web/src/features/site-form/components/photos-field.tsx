import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { SiteFormValues } from '../site-form.schema';
import { useFieldText } from '../use-field-text';

const ImagesInput = lazy(async () => ({ default: (await import('@/components/images-input')).ImagesInput }));

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
          <Suspense fallback={<Skeleton height={130} radius="md" />}>
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
          </Suspense>
        </div>
      )}
    />
  );
}
