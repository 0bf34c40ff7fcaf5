import { Checkbox, SimpleGrid, TextInput, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { FormFrame } from '@/components/form/form-frame';
import { type FormErrors, useSaveForm } from '@/components/form/use-save-form';
import { useErrorText } from '@/components/use-error-text';
import { useInviteOwner } from '../api/owners';
import { ownerSchema, type OwnerValues } from '../schema';

const EMPTY: OwnerValues = { email: '', firstName: '', lastName: '', receiveReservationTexts: true };

/**
 * Invites an owner. A refusal sets the three messages of the spec at their fields (spec A sections 5 and 8); what the
 * server says stands below them, since it tells what is really the matter.
 */
export function InviteOwnerForm({ organizationId }: { organizationId: string }) {
  const { t, i18n } = useTranslation('organizations');
  const errorText = useErrorText();
  const { mutateAsync } = useInviteOwner(organizationId);
  const form = useSaveForm({
    schema: ownerSchema,
    labels: {
      email: t('owners.email'),
      firstName: t('owners.firstName'),
      lastName: t('owners.lastName'),
      receiveReservationTexts: t('owners.texts'),
    },
    values: EMPTY,
    save: (values, context) =>
      mutateAsync({ values: { ...values, language: i18n.language === 'es' ? 'es' : 'en' }, context }),
    describeError,
    done: (_invited, { email }) => t('done.invited', { email }),
    onDone: () => form.startOver(EMPTY, 'email'),
  });

  /** All three fields are asked for once more (spec C section 2), beside what else the server says. */
  function describeError(error: Error): FormErrors<OwnerValues> {
    const fields = {
      email: t('owners.emailMandatory'),
      firstName: t('owners.firstNameMandatory'),
      lastName: t('owners.lastNameMandatory'),
    };
    const sentences = error instanceof ApiError ? (error.problem.errors ?? []).map(({ message }) => message) : [];
    if (sentences.length === 0) return { fields, text: errorText(error) };
    const said: readonly string[] = Object.values(fields);
    return { fields, text: [...new Set(sentences)].filter((one) => !said.includes(one)).join(' ') || undefined };
  }

  return (
    <FormFrame form={form} submitLabel={t('owners.send')} withoutCancel>
      <Title order={3}>{t('owners.invite')}</Title>
      <TextInput {...form.field('email')} type="email" required />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <TextInput {...form.field('firstName')} required maxLength={200} />
        <TextInput {...form.field('lastName')} required maxLength={200} />
      </SimpleGrid>
      <Checkbox label={t('owners.texts')} {...form.register('receiveReservationTexts')} />
    </FormFrame>
  );
}
