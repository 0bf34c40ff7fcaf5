import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { FieldGroup } from '@/components/form/field-group';
import { useBedTexts } from '@/features/houses/ui/use-bed-texts';

/** What a person waits for, and why they may go before others. */
export interface Need {
  /** `null` if each bed will do. */
  bedType: Schemas['BedType'] | null;
  priorityReason: string;
}

const TYPES: readonly Schemas['BedType'][] = ['Detox', 'Treatment', 'Sober Living'];
const REASON_CHARACTERS = 200;

interface NeedFieldsProps {
  need: Need;
  /** The priority of a person who waits already has a question of its own. */
  withPriority: boolean;
  onChange: (need: Need) => void;
}

/** The fields that a person on the waitlist has besides those of a guest. */
export function NeedFields({ need, withPriority, onChange }: NeedFieldsProps) {
  const { t } = useTranslation('reservations', { keyPrefix: 'waitlist' });
  const beds = useBedTexts();
  return (
    <FieldGroup title={t('add.needs')}>
      <Stack gap="md">
        <NativeSelect
          label={t('add.type')}
          data-turned-to
          data={[
            { value: '', label: t('add.anyBed') },
            ...TYPES.map((type) => ({ value: type, label: beds.type(type) })),
          ]}
          value={need.bedType ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...need, bedType: TYPES.find((type) => type === value) ?? null })
          }
        />
        {withPriority ? (
          <TextInput
            label={t('add.reason')}
            description={t('add.reasonHint')}
            value={need.priorityReason}
            maxLength={REASON_CHARACTERS}
            autoComplete="off"
            onChange={({ currentTarget: { value } }) => onChange({ ...need, priorityReason: value })}
          />
        ) : null}
      </Stack>
    </FieldGroup>
  );
}
