import { Checkbox, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { FormFrame } from '@/components/form/form-frame';
import { useSaveForm } from '@/components/form/use-save-form';
import { useErrorText } from '@/components/use-error-text';
import { useInviteSiteUser } from '../api/save-access-user';
import type { AccessUser } from '../api/types';
import { inviteSchema, type InviteValues, MAX_NAME } from '../schema';
import { SITE_ROLES } from '../users.utils';

interface InviteFormProps {
  siteId: string;
  onDone: () => void;
}

/** Invites someone to a site. Every error of the server is shown at a field, by default at the email (spec A section 8). */
export function InviteForm({ siteId, onDone }: InviteFormProps) {
  const { t, i18n } = useTranslation('users');
  const errorText = useErrorText();
  const { mutateAsync } = useInviteSiteUser(siteId);
  const form = useSaveForm<InviteValues, AccessUser>({
    schema: inviteSchema,
    labels: {
      email: t('invite.email'),
      firstName: t('invite.firstName'),
      lastName: t('invite.lastName'),
      role: t('invite.role'),
      receiveReservationTexts: t('invite.texts'),
      language: t('invite.language'),
    },
    values: {
      email: '',
      firstName: '',
      lastName: '',
      role: 'Admin',
      receiveReservationTexts: true,
      language: i18n.language === 'es' ? 'es' : 'en',
    },
    save: (values, context) => mutateAsync({ values, context }),
    // Errors without a field are shown at the email: they are about the person.
    describeError: (error) =>
      error instanceof ApiError && error.problem.errors?.length ? undefined : { fields: { email: errorText(error) } },
    done: (_invited, { email }) => t('done.invited', { email }),
    onDone,
  });
  const role = useWatch({ control: form.control, name: 'role' });

  return (
    <FormFrame form={form} submitLabel={t('sendInvite')}>
      <Text c="dimmed">{t('invite.text')}</Text>
      <TextInput {...form.field('email')} type="email" required data-autofocus />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <TextInput {...form.field('firstName')} maxLength={MAX_NAME} required />
        <TextInput {...form.field('lastName')} maxLength={MAX_NAME} required />
        <NativeSelect
          {...form.field('role')}
          description={t(`roleHint.${role}`)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          size="md"
          data={SITE_ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
        />
        <NativeSelect
          {...form.field('language')}
          size="md"
          data={(['en', 'es'] as const).map((value) => ({ value, label: t(`language.${value}`) }))}
        />
      </SimpleGrid>
      <Checkbox
        {...form.register('receiveReservationTexts')}
        label={t('invite.texts')}
        description={t('invite.textsHint')}
      />
    </FormFrame>
  );
}
