import { NativeSelect, TextInput } from '@mantine/core';
import type { FieldErrors, UseFormRegisterReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useBedTexts } from '@/components/bed-tile/use-bed-texts';
import type { BedValues } from '../schema';
import { useFieldMessage } from './use-field-message';

const BED_TYPES = ['Detox', 'Treatment', 'Sober Living'] as const;

interface BedFieldsProps {
  readonly fields: Record<keyof BedValues, UseFormRegisterReturn>;
  readonly errors: FieldErrors<BedValues>;
  readonly nameHint?: string;
}

/** Type, name and description: the same when beds are added and when one is edited. */
export function BedFields({ fields, errors, nameHint }: BedFieldsProps) {
  const { t } = useTranslation('houses');
  const texts = useBedTexts();
  const message = useFieldMessage();
  return (
    <>
      <NativeSelect
        label={t('bedDialog.type')}
        data-autofocus
        size="md"
        required
        data={BED_TYPES.map((type) => ({ value: type, label: texts.type(type) }))}
        error={message(errors.type)}
        {...fields.type}
      />
      <TextInput
        label={t('bedDialog.name')}
        description={nameHint}
        required
        maxLength={200}
        error={message(errors.name)}
        {...fields.name}
      />
      <TextInput
        label={t('bedDialog.description')}
        maxLength={500}
        error={message(errors.description)}
        {...fields.description}
      />
    </>
  );
}
