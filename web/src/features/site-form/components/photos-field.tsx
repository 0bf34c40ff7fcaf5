import { Skeleton } from '@mantine/core';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSaveFormContext } from '@/components/form/use-save-form-context';
import { lazyNamed } from '@/components/lazy-named';
import type { SiteFormValues } from '../site-form.schema';

const ImagesInput = lazyNamed(() => import('@/components/images-input'), 'ImagesInput', {
  fallback: <Skeleton height={130} radius="md" />,
});

/** The photos of the site in their order, the cover first. */
export function PhotosField({ isRequired }: { isRequired: boolean }) {
  const { t } = useTranslation('site-form');
  const { control, labels, fieldText, setUploading } = useSaveFormContext<SiteFormValues>();
  return (
    <Controller
      name="images"
      control={control}
      render={({ field }) => (
        <ImagesInput
          label={isRequired ? (labels['images'] ?? '') : `${labels['images']} (${t('field.optional')})`}
          description={t('field.imagesHint')}
          prefix="site_"
          value={field.value}
          onChange={(paths) => {
            field.onChange(paths);
            field.onBlur();
          }}
          error={fieldText('images')}
          required={isRequired}
          onBusyChange={(isBusy) => setUploading('images', isBusy)}
        />
      )}
    />
  );
}
