import { type ChangeEvent } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useBedTexts } from '../ui/use-bed-texts';
import { CountField } from '@/components/form/count-field';
import { FormFrame } from '@/components/form/form-frame';
import { useSaveForm } from '@/components/form/use-save-form';
import { useAddBeds } from '../api/save-bed';
import { MAX_BEDS, MIN_BEDS, type Room } from '../houses.utils';
import { newBedsSchema, type NewBedsValues } from '../schema';
import { BedFields, useBedLabels } from './bed-fields';

interface AddBedsFormProps {
  readonly siteId: string;
  readonly room: Room;
  readonly onDone: () => void;
}

/** One bed or several of a kind. The name follows the type until it is typed (spec B, section 3). */
export function AddBedsForm({ siteId, room, onDone }: AddBedsFormProps) {
  const { t } = useTranslation('houses');
  const texts = useBedTexts();
  const { mutateAsync } = useAddBeds(siteId);
  const form = useSaveForm<NewBedsValues, Awaited<ReturnType<typeof mutateAsync>>>({
    schema: newBedsSchema,
    labels: { ...useBedLabels(), count: t('bedDialog.count') },
    values: { type: 'Sober Living', name: texts.type('Sober Living'), description: '', count: 1 },
    save: ({ description, ...values }, context) =>
      mutateAsync({ body: { roomId: room.id, ...values, ...(description ? { description } : {}) }, context }),
    done: (added, { name }) =>
      t('done.bedsAdded', { count: added.length, bed: added[0]?.name ?? name, house: room.name }),
    onDone,
  });
  const count = useWatch({ control: form.control, name: 'count' });
  const name = useWatch({ control: form.control, name: 'name' }).trim();
  const isTypeName = (['Detox', 'Treatment', 'Sober Living'] as const).some((type) => texts.type(type) === name);
  const type = form.register('type', {
    onChange: (event: ChangeEvent<HTMLSelectElement>) => {
      if (form.getFieldState('name').isDirty && !isTypeName) return;
      form.setValue('name', texts.type(event.target.value as NewBedsValues['type']), { shouldValidate: true });
    },
  });
  return (
    <FormFrame form={form} submitLabel={t(count > 1 ? 'addMultipleBeds' : 'addBed')}>
      <BedFields
        type={{ ...form.field('type'), ...type }}
        name={{ ...form.field('name'), description: t('bedDialog.nameHint') }}
        description={form.field('description')}
      />
      <CountField
        form={form}
        name="count"
        min={MIN_BEDS}
        max={MAX_BEDS}
        fewerLabel={t('bedDialog.fewer')}
        moreLabel={t('bedDialog.more')}
      />
    </FormFrame>
  );
}
