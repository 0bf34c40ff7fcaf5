import { zodResolver } from '@hookform/resolvers/zod';
import { Alert, Button, Group, Stack } from '@mantine/core';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { toast } from '@/components/toast';
import { useSaveBed } from '../api/save-bed';
import { type Bed, draftOf } from '../houses.utils';
import { bedSchema, type BedValues } from '../schema';
import { BedFields } from './bed-fields';
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
  const save = useSaveBed(siteId);
  const before = { type: bed.type, name: bed.name, description: bed.description ?? '' };
  const { register, handleSubmit, setError, control, formState } = useForm<BedValues>({
    resolver: zodResolver(bedSchema),
    mode: 'onTouched',
    defaultValues: before,
  });
  const refusal = useRefusal(setError, ['type', 'name', 'description']);
  const now = { ...before, ...useWatch({ control }) };
  const isChanged =
    now.type !== before.type || now.name.trim() !== before.name || now.description.trim() !== before.description;
  const canSave = isChanged && now.name.trim() !== '';

  const submit = handleSubmit(async ({ type, name, description }) => {
    refusal.clear();
    try {
      await save.mutateAsync({
        ...draftOf(refusal.isStale ? current : bed),
        type,
        name,
        description: description || null,
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
