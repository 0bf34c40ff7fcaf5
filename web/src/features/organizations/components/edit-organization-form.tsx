import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { CheckboxGroupField } from '@/components/form/checkbox-group-field';
import { FormFrame } from '@/components/form/form-frame';
import { PictureField } from '@/components/form/picture-field';
import { SwitchField } from '@/components/form/switch-field';
import { useSaveForm } from '@/components/form/use-save-form';
import { formatList } from '@/lib/format';
import { useEditOrganization } from '../api/save-organization';
import { METHODS } from '../organizations.utils';
import { organizationSchema } from '../schema';

interface EditOrganizationFormProps {
  /** The organization as it is by now. */
  organization: Schemas['Organization'];
  onDone: () => void;
}

/** Name, logo, ways to pay and, for global admins, whether the organization is shown (spec A sections 5 and 6). */
export function EditOrganizationForm({ organization, onDone }: EditOrganizationFormProps) {
  const { t, i18n } = useTranslation('organizations');
  const edit = useEditOrganization();
  const canToggle = useCan('organization.toggleVisibility', { organization });
  const { id, name, logoPath, isDisabled, reservationPaymentMethods, version } = organization;
  const methodName = (method: number) => t(`method.${method as (typeof METHODS)[number]}`);
  const form = useSaveForm({
    schema: organizationSchema,
    labels: { name: t('form.name'), logoPath: t('form.logo'), methods: t('form.methods'), isShown: t('form.shown') },
    values: { name, logoPath, methods: reservationPaymentMethods.map((method) => method.id), isShown: !isDisabled },
    version,
    names: { reservationPaymentMethodIds: 'methods', isDisabled: 'isShown' },
    format: { methods: (methods) => formatList(methods.map(methodName), i18n.language) },
    pictures: { logoPath: 'org_' },
    save: ({ methods, isShown, ...values }, context) =>
      edit.mutateAsync({
        ...values,
        id,
        version: context.version,
        reservationPaymentMethodIds: methods,
        ...(canToggle ? { isDisabled: !isShown } : {}),
      }),
    done: (saved) => t('done.saved', { name: saved.name }),
    onDone,
    onUnchanged: onDone,
  });
  return (
    <FormFrame form={form}>
      <TextInput {...form.field('name')} required maxLength={200} data-autofocus />
      <PictureField form={form} name="logoPath" prefix="org_" required />
      <CheckboxGroupField
        form={form}
        name="methods"
        description={t('form.methodsHint')}
        required
        choices={METHODS.map((method) => ({ value: method, label: methodName(method) }))}
      />
      {canToggle ? <SwitchField form={form} name="isShown" description={t('form.shownHint')} /> : null}
    </FormFrame>
  );
}
