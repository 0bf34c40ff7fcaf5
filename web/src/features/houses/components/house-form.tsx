import { zodResolver } from '@/lib/zod-resolver';
import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { PictureInputLater } from '@/components/lazy-inputs';
import { toast } from '@/components/toast';
import { useSaveRoom } from '../api/save-room';
import { nextHouseNumber, type Room } from '../houses.utils';
import { houseSchema, type HouseValues } from '../schema';
import { useFieldMessage } from './use-field-message';
import { useRefusal } from './use-refusal';

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
  const { register, handleSubmit, setError, control, formState } = useForm<HouseValues>({
    resolver: zodResolver(houseSchema),
    mode: 'onTouched',
    defaultValues: {
      name: room?.name ?? t('houseName', { number: nextHouseNumber(site.rooms) }),
      imagePath: room?.imagePath ?? null,
    },
  });
  const refusal = useRefusal(setError, ['name', 'imagePath']);
  const current = site.rooms.find(({ id }) => id === room?.id) ?? room;
  const [isUploading, setUploading] = useState(false);
  const name = useWatch({ control, name: 'name' }).trim();
  const photo = useWatch({ control, name: 'imagePath' });
  const isChanged = name !== room?.name || photo !== (room?.imagePath ?? null);
  const canSave = name !== '' && isChanged && !isUploading;

  const submit = handleSubmit(async (values) => {
    refusal.clear();
    try {
      const seen = refusal.isStale ? current : room;
      const { id, version } = seen ?? {};
      const saved = await save.mutateAsync({ id, version, ...values });
      toast.success(t(room ? 'done.houseSaved' : 'done.houseAdded', { house: saved.name }));
      onDone();
    } catch (error) {
      refusal.show(error);
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
        <Controller
          name="imagePath"
          control={control}
          render={({ field }) => (
            <PictureInputLater
              prefix="room_"
              label={t('houseDialog.photo')}
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
            {t('stale.house', { name: current?.name })}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onDone}>
            {t('houseDialog.cancel')}
          </Button>
          <Button type="submit" loading={formState.isSubmitting} disabled={!canSave}>
            {submitLabel()}
          </Button>
        </Group>
      </Stack>
    </form>
  );

  function submitLabel(): string {
    if (!room) return t('houseDialog.add');
    return refusal.isStale ? t('stale.replace') : t('houseDialog.save');
  }
}
