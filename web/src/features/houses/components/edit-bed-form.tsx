import { zodResolver } from '@/lib/zod-resolver';
import { Alert, Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { PictureInputLater } from '@/components/lazy-inputs';
import { toast } from '@/components/toast';
import { useSaveBed } from '../api/save-bed';
import { type Bed, draftOf } from '../houses.utils';
import { type BedEditValues, bedEditSchema } from '../schema';
import { BedFields } from './bed-fields';
import { useFieldMessage } from './use-field-message';
import { useRefusal } from './use-refusal';

interface EditBedFormProps {
  readonly siteId: string;
  /** The bed as it was when the form was opened. */
  readonly bed: Bed;
  /** The bed as it is now. */
  readonly current: Bed;
  readonly onDone: () => void;
}

/** Name, type and description of a bed. Save is off while nothing has changed or the name is empty (spec B, section 5). */
export function EditBedForm({ siteId, bed, current, onDone }: EditBedFormProps) {
  const { t } = useTranslation('houses');
  const message = useFieldMessage();
  const save = useSaveBed(siteId);
  const before = {
    type: bed.type,
    name: bed.name,
    description: bed.description ?? '',
    imagePath: bed.imagePath ?? null,
  };
  const { register, handleSubmit, setError, control, formState } = useForm<BedEditValues>({
    resolver: zodResolver(bedEditSchema),
    mode: 'onTouched',
    defaultValues: before,
  });
  const refusal = useRefusal(setError, ['type', 'name', 'description', 'imagePath']);
  const now = { ...before, ...useWatch({ control }) };
  const [isUploading, setUploading] = useState(false);
  const isChanged =
    now.type !== before.type ||
    now.name.trim() !== before.name ||
    now.description.trim() !== before.description ||
    now.imagePath !== before.imagePath;
  const canSave = isChanged && now.name.trim() !== '' && !isUploading;

  const submit = handleSubmit(async ({ type, name, description, imagePath }) => {
    refusal.clear();
    try {
      await save.mutateAsync({
        ...draftOf(refusal.isStale ? current : bed),
        type,
        name,
        description: description || null,
        imagePath,
      });
      toast.success(t('done.bedSaved', { bed: name }));
      onDone();
    } catch (error) {
      refusal.show(error);
    }
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <BedFields
          fields={{ type: register('type'), name: register('name'), description: register('description') }}
          errors={formState.errors}
        />
        <Controller
          name="imagePath"
          control={control}
          render={({ field }) => (
            <PictureInputLater
              prefix="bed_"
              label={t('bedDialog.photo')}
              value={field.value}
              onChange={field.onChange}
              error={message(formState.errors.imagePath)}
              onBusyChange={setUploading}
            />
          )}
        />
        {refusal.text && (
          <Alert color="red" role="alert">
            {refusal.text}
          </Alert>
        )}
        {refusal.isStale && (
          <Alert color="yellow" role="alert" title={t('stale.title')}>
            {t('stale.bed', { name: current.name, type: current.type, description: current.description || '–' })}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onDone}>
            {t('bedDialog.cancel')}
          </Button>
          <Button type="submit" loading={formState.isSubmitting} disabled={!canSave}>
            {refusal.isStale ? t('stale.replace') : t('bedDialog.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
