import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormFrame } from '@/components/form/form-frame';
import { PictureField } from '@/components/form/picture-field';
import { SwitchField } from '@/components/form/switch-field';
import { useSaveForm } from '@/components/form/use-save-form';
import { useSaveInsurer } from '../api/save-insurer';
import type { Insurer } from '../insurers.utils';
import { insurerSchema } from '../schema';

const EMPTY = { name: '', logoPath: null, isPrimary: false };

interface InsurerFormProps {
  /** The company as it is by now; none for a new one. */
  insurer: Insurer | null;
  onDone: () => void;
}

/** Name, logo, and whether it is a top insurance (spec B section 5). */
export function InsurerForm({ insurer, onDone }: InsurerFormProps) {
  const { t } = useTranslation('insurers');
  const { mutateAsync } = useSaveInsurer(insurer?.id);
  const form = useSaveForm({
    schema: insurerSchema,
    labels: { name: t('form.name'), logoPath: t('form.logo'), isPrimary: t('top') },
    values: insurer ?? EMPTY,
    version: insurer?.version,
    pictures: { logoPath: 'ins_' },
    save: (values, context) => mutateAsync({ values, context }),
    done: ({ name }) => t(insurer ? 'done.saved' : 'done.created', { name }),
    onDone,
    onUnchanged: insurer ? onDone : undefined,
  });
  return (
    <FormFrame form={form}>
      <TextInput {...form.field('name')} required maxLength={200} data-autofocus />
      <PictureField form={form} name="logoPath" prefix="ins_" required />
      <SwitchField form={form} name="isPrimary" description={t('form.topHint')} />
    </FormFrame>
  );
}
