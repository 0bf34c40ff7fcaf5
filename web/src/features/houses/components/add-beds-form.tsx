import { zodResolver } from '@/lib/zod-resolver';
import { ActionIcon, Alert, Button, Group, Input, Stack } from '@mantine/core';
import { Minus, Plus } from 'lucide-react';
import { type ChangeEvent, useId, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { applyFieldErrors } from '@/api/field-errors';
import { useBedTexts } from '@/components/bed-tile/use-bed-texts';
import { toast } from '@/components/toast';
import { useAddBeds } from '../api/save-bed';
import { clampCount, MAX_BEDS, MIN_BEDS, type Room } from '../houses.utils';
import { newBedsSchema, type NewBedsValues } from '../schema';
import { BedFields } from './bed-fields';
import classes from './houses.module.css';
import { useFieldMessage } from './use-field-message';

interface AddBedsFormProps {
  readonly siteId: string;
  readonly room: Room;
  readonly onDone: () => void;
}

/** One bed or several of a kind. The name follows the type until it is typed (spec B, section 3). */
export function AddBedsForm({ siteId, room, onDone }: AddBedsFormProps) {
  const { t } = useTranslation('houses');
  const texts = useBedTexts();
  const message = useFieldMessage();
  const addBeds = useAddBeds(siteId);
  const countId = useId();
  const [refusal, setRefusal] = useState<string>();
  const { register, handleSubmit, setError, setValue, getFieldState, control, formState } = useForm<NewBedsValues>({
    resolver: zodResolver(newBedsSchema),
    mode: 'onTouched',
    defaultValues: { type: 'Sober Living', name: texts.type('Sober Living'), description: '', count: 1 },
  });
  const count = useWatch({ control, name: 'count' });
  const name = useWatch({ control, name: 'name' }).trim();

  const typeField = register('type', {
    onChange: (event: ChangeEvent<HTMLSelectElement>) => {
      const isTyped = getFieldState('name').isDirty && !isTypeName(name);
      if (!isTyped) setValue('name', texts.type(event.target.value as NewBedsValues['type']), { shouldValidate: true });
    },
  });
  const isTypeName = (text: string) =>
    (['Detox', 'Treatment', 'Sober Living'] as const).some((type) => texts.type(type) === text);
  const stepTo = (next: number) => setValue('count', clampCount(next), { shouldValidate: true });

  const submit = handleSubmit(async (values) => {
    setRefusal(undefined);
    try {
      const { description, ...rest } = values;
      const added = await addBeds.mutateAsync({ roomId: room.id, ...rest, ...(description ? { description } : {}) });
      toast.success(t('done.bedsAdded', { count: added.length, bed: added[0]?.name ?? values.name, house: room.name }));
      onDone();
    } catch (error) {
      setRefusal(applyFieldErrors(setError, error, ['type', 'name', 'description', 'count']));
    }
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <BedFields
          fields={{ type: typeField, name: register('name'), description: register('description') }}
          errors={formState.errors}
          nameHint={t('bedDialog.nameHint')}
        />
        <Input.Wrapper id={countId} label={t('bedDialog.count')} required error={message(formState.errors.count)}>
          <div className={classes.stepper}>
            <ActionIcon
              variant="default"
              size={42}
              aria-label={t('bedDialog.fewer')}
              disabled={count <= MIN_BEDS}
              onClick={() => stepTo(count - 1)}
            >
              <Minus size={18} aria-hidden />
            </ActionIcon>
            <Input
              id={countId}
              type="number"
              size="md"
              inputMode="numeric"
              min={MIN_BEDS}
              max={MAX_BEDS}
              {...register('count', { valueAsNumber: true })}
            />
            <ActionIcon
              variant="default"
              size={42}
              aria-label={t('bedDialog.more')}
              disabled={count >= MAX_BEDS}
              onClick={() => stepTo(count + 1)}
            >
              <Plus size={18} aria-hidden />
            </ActionIcon>
          </div>
        </Input.Wrapper>
        {refusal && (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onDone}>
            {t('bedDialog.cancel')}
          </Button>
          <Button type="submit" loading={formState.isSubmitting} disabled={name === ''}>
            {count > 1 ? t('addMultipleBeds') : t('addBed')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
