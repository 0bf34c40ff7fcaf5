import { zodResolver } from '@hookform/resolvers/zod';
import { Alert, Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { applyFieldErrors } from '@/api/field-errors';
import { toast } from '@/components/toast';
import { useSaveBed } from '../api/save-bed';
import { type Bed, draftOf } from '../houses.utils';
import { bedSchema, type BedValues } from '../schema';
import { BedFields } from './bed-fields';

interface EditBedFormProps {
  readonly siteId: string;
  readonly bed: Bed;
  readonly onDone: () => void;
}

/** Name, type and description of a bed. Save is off while nothing has changed or the name is empty (spec B, section 5). */
export function EditBedForm({ siteId, bed, onDone }: EditBedFormProps) {
  const { t } = useTranslation('houses');
  const save = useSaveBed(siteId);
  const [refusal, setRefusal] = useState<string>();
  const before = { type: bed.type, name: bed.name, description: bed.description ?? '' };
  const { register, handleSubmit, setError, control, formState } = useForm<BedValues>({
    resolver: zodResolver(bedSchema),
    mode: 'onTouched',
    defaultValues: before,
  });
  const now = { ...before, ...useWatch({ control }) };
  const isChanged =
    now.type !== before.type || now.name.trim() !== before.name || now.description.trim() !== before.description;
  const canSave = isChanged && now.name.trim() !== '';

  const submit = handleSubmit(async ({ type, name, description }) => {
    setRefusal(undefined);
    try {
      await save.mutateAsync({ ...draftOf(bed), type, name, description: description || null });
      toast.success(t('done.bedSaved', { bed: name }));
      onDone();
    } catch (error) {
      setRefusal(applyFieldErrors(setError, error, ['type', 'name', 'description']));
    }
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <BedFields
          fields={{ type: register('type'), name: register('name'), description: register('description') }}
          errors={formState.errors}
        />
        {refusal && (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onDone}>
            {t('bedDialog.cancel')}
          </Button>
          <Button type="submit" loading={formState.isSubmitting} disabled={!canSave}>
            {t('bedDialog.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
