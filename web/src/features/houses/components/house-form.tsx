import { zodResolver } from '@hookform/resolvers/zod';
import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { applyFieldErrors } from '@/api/field-errors';
import { toast } from '@/components/toast';
import { useSaveRoom } from '../api/save-room';
import { nextHouseNumber, type Room } from '../houses.utils';
import { houseSchema, type HouseValues } from '../schema';
import { useFieldMessage } from './use-field-message';

interface HouseFormProps {
  readonly site: Pick<Schemas['SiteDetails'], 'id' | 'rooms'>;
  /** The house to rename; none for a new one. */
  readonly room?: Room;
  readonly onDone: () => void;
}

/** Name of a house; a new one is proposed as 'House #N'. */
export function HouseForm({ site, room, onDone }: HouseFormProps) {
  const { t } = useTranslation(['houses', 'common']);
  const message = useFieldMessage();
  const save = useSaveRoom(site.id);
  const [refusal, setRefusal] = useState<string>();
  const { register, handleSubmit, setError, control, formState } = useForm<HouseValues>({
    resolver: zodResolver(houseSchema),
    mode: 'onTouched',
    defaultValues: { name: room?.name ?? t('houseName', { number: nextHouseNumber(site.rooms) }) },
  });
  const name = useWatch({ control, name: 'name' }).trim();
  const canSave = name !== '' && name !== room?.name;

  const submit = handleSubmit(async (values) => {
    setRefusal(undefined);
    try {
      const saved = await save.mutateAsync({ id: room?.id, name: values.name, imagePath: room?.imagePath ?? null });
      toast.success(t(room ? 'done.houseSaved' : 'done.houseAdded', { house: saved.name }));
      onDone();
    } catch (error) {
      setRefusal(applyFieldErrors(setError, error, ['name']));
    }
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <TextInput
          label={t('houseDialog.name')}
          required
          maxLength={200}
          data-autofocus
          error={message(formState.errors.name)}
          {...register('name')}
        />
        {refusal && (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onDone}>
            {t('houseDialog.cancel')}
          </Button>
          <Button type="submit" loading={formState.isSubmitting} disabled={!canSave}>
            {room ? t('houseDialog.save') : t('houseDialog.add')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
