import { NativeSelect, TextInput } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { useBedTexts } from '../ui/use-bed-texts';

const BED_TYPES = ['Detox', 'Treatment', 'Sober Living'] as const;

interface BedFieldsProps {
  readonly type: ComponentProps<typeof NativeSelect>;
  readonly name: ComponentProps<typeof TextInput>;
  readonly description: ComponentProps<typeof TextInput>;
}

/** Type, name and description: the same when beds are added and when one is edited. */
export function BedFields({ type, name, description }: BedFieldsProps) {
  const texts = useBedTexts();
  return (
    <>
      <NativeSelect
        {...type}
        data-autofocus
        size="md"
        required
        data={BED_TYPES.map((value) => ({ value, label: texts.type(value) }))}
      />
      <TextInput {...name} required maxLength={200} />
      <TextInput {...description} maxLength={500} />
    </>
  );
}

/** How the fields of a bed are called. */
export function useBedLabels() {
  const { t } = useTranslation('houses');
  return { type: t('bedDialog.type'), name: t('bedDialog.name'), description: t('bedDialog.description') };
}
