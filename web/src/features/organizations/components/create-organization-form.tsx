import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormFrame } from '@/components/form/form-frame';
import { PictureField } from '@/components/form/picture-field';
import { useSaveForm } from '@/components/form/use-save-form';
import { useCreateOrganization } from '../api/save-organization';
import { newOrganizationSchema } from '../schema';

const EMPTY = { name: '', ownerEmail: '', logoPath: null };

interface CreateOrganizationFormProps {
  isCommercial: boolean;
  onDone: () => void;
}

/** A new organization; its owner is invited by mail (spec A section 5). */
export function CreateOrganizationForm({ isCommercial, onDone }: CreateOrganizationFormProps) {
  const { t } = useTranslation('organizations');
  const { mutateAsync } = useCreateOrganization(isCommercial);
  const form = useSaveForm({
    schema: newOrganizationSchema,
    labels: { name: t('form.name'), ownerEmail: t('form.ownerEmail'), logoPath: t('form.logo') },
    values: EMPTY,
    save: (values, context) => mutateAsync({ values, context }),
    done: ({ name }, { ownerEmail }) => t('done.created', { name, email: ownerEmail }),
    onDone,
  });
  return (
    <FormFrame form={form} submitLabel={t('submit.create')}>
      <TextInput {...form.field('name')} required maxLength={200} data-autofocus />
      <TextInput
        {...form.field('ownerEmail')}
        type="email"
        description={t('form.ownerEmailHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
      />
      <PictureField form={form} name="logoPath" prefix="org_" required />
    </FormFrame>
  );
}
