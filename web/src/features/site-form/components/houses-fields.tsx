import { ActionIcon, Button, Group, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { toast } from '@/components/toast';
import { useSaveFormContext } from '@/components/form/use-save-form-context';
import { nextHouse } from '@/features/houses/ui/next-house';
import { emptyRoom, type SiteFormValues } from '../site-form.schema';
import { BedCounts } from './bed-counts';
import { FieldError } from './field-error';
import { FormSection } from './form-section';
import classes from './site-form.module.css';

/** The houses of a new non-commercial site, each with its beds by type (spec A section 2, step Accomodations). */
export function HousesFields() {
  const { t } = useTranslation('site-form');
  const { field, control, getValues, clearErrors, fieldText } = useSaveFormContext<SiteFormValues>();
  const { fields, append, remove, insert } = useFieldArray({ control, name: 'rooms' });
  const addButton = useRef<HTMLButtonElement>(null);
  const missing = fieldText('rooms');

  const handleAdd = () => {
    append(emptyRoom(t('houses.houseName', { number: nextHouse(getValues('rooms')) })), { shouldFocus: true });
    clearErrors('rooms');
  };
  const handleRemove = (index: number) => {
    const room = getValues('rooms')[index];
    if (!room) return;
    remove(index);
    addButton.current?.focus();
    toast.success(t('houses.removed', { house: room.name }), {
      undo: { onUndo: () => insert(Math.min(index, getValues('rooms').length), room) },
    });
  };

  return (
    <FormSection step="houses">
      {fields.map(({ id }, index) => (
        <div
          key={id}
          className={classes.house}
          role="group"
          aria-label={t('houses.label', { number: index + 1 })}
          data-house={index}
        >
          <div className={classes.houseHead}>
            <TextInput
              {...field(`rooms.${index}.name`)}
              label={t('houses.name')}
              withAsterisk
              aria-required
              maxLength={200}
            />
            <ActionIcon
              size={42}
              color="red"
              aria-label={t('houses.remove', { house: getValues(`rooms.${index}.name`) })}
              onClick={() => handleRemove(index)}
            >
              <Trash2 size={18} aria-hidden />
            </ActionIcon>
          </div>
          <BedCounts index={index} />
        </div>
      ))}
      <FieldError id="rooms-error" text={missing} />
      <Group>
        <Button
          ref={addButton}
          variant="default"
          leftSection={<Plus size={18} aria-hidden />}
          aria-describedby={missing ? 'rooms-error' : undefined}
          data-invalid-group={missing ? true : undefined}
          onClick={handleAdd}
        >
          {t('houses.add')}
        </Button>
      </Group>
    </FormSection>
  );
}
