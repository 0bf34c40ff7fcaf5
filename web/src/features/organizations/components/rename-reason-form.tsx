import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { FormFrame } from '@/components/form/form-frame';
import { useSaveForm } from '@/components/form/use-save-form';
import { useEditReason } from '../api/reasons';
import { reasonNameSchema } from '../schema';

interface RenameReasonFormProps {
  organizationId: string;
  reason: Schemas['Reason'];
  onDone: () => void;
}

/** Corrects the name of a reason, also in earlier decisions. */
export function RenameReasonForm({ organizationId, reason, onDone }: RenameReasonFormProps) {
  const { t } = useTranslation('organizations');
  const edit = useEditReason(organizationId);
  const form = useSaveForm({
    schema: reasonNameSchema,
    labels: { name: t('reasons.name') },
    values: { name: reason.name },
    save: (values) => edit.mutateAsync({ reasonId: reason.id, edit: values }),
    done: ({ name }) => t('reasons.renamed', { name }),
    about: `reason:${reason.id}`,
    onDone,
    onUnchanged: onDone,
  });
  return (
    <FormFrame form={form}>
      <TextInput
        {...form.field('name')}
        description={t('reasons.renameHint')}
        required
        maxLength={100}
        autoComplete="off"
        data-autofocus
      />
    </FormFrame>
  );
}
