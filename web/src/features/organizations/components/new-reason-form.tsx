import { TextInput, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormFrame } from '@/components/form/form-frame';
import { RadioField } from '@/components/form/radio-field';
import { useSaveForm } from '@/components/form/use-save-form';
import { useAddReason } from '../api/reasons';
import { reasonSchema, type ReasonValues } from '../schema';

const EMPTY: ReasonValues = { kind: 'Decline', name: '' };
const KINDS = ['Decline', 'Discharge'] as const;

/** Adds a reason; the kind stays chosen, since several are added in a row. */
export function NewReasonForm({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('organizations');
  const { mutateAsync } = useAddReason(organizationId);
  const form = useSaveForm({
    schema: reasonSchema,
    labels: { kind: t('reasons.for'), name: t('reasons.name') },
    values: EMPTY,
    save: (values, context) => mutateAsync({ values, context }),
    done: ({ name }) => t('reasons.added', { name }),
    onDone: (_added, { kind }) => form.startOver({ ...EMPTY, kind }, 'name'),
  });
  return (
    <FormFrame form={form} submitLabel={t('reasons.add')} withoutCancel>
      <Title order={3}>{t('reasons.add')}</Title>
      <RadioField
        form={form}
        name="kind"
        choices={KINDS.map((kind) => ({ value: kind, label: t(`reasons.kind.${kind}`) }))}
      />
      <TextInput {...form.field('name')} required maxLength={100} autoComplete="off" />
    </FormFrame>
  );
}
