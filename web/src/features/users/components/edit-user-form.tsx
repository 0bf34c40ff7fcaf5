import { Checkbox, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormFrame } from '@/components/form/form-frame';
import { useSaveForm } from '@/components/form/use-save-form';
import { useEditAccessUser } from '../api/save-access-user';
import type { AccessUser } from '../api/types';
import { editFixedNameSchema, editSchema, type EditValues, MAX_NAME } from '../schema';
import { nameOf } from '../ui/name-of';
import { roleChoices } from '../users.utils';

interface EditUserFormProps {
  user: AccessUser;
  onDone: () => void;
}

/** Names, role, texts and access of one user; the email is shown, only its owner changes it (spec A section 5). */
export function EditUserForm({ user, onDone }: EditUserFormProps) {
  const { t } = useTranslation('users');
  const { mutateAsync } = useEditAccessUser();
  const form = useSaveForm<EditValues, AccessUser>({
    // A name that cannot be changed here is not checked here: the role of a nameless person can still be changed.
    schema: user.can.rename ? editSchema : editFixedNameSchema,
    labels: {
      email: t('edit.email'),
      firstName: t('invite.firstName'),
      lastName: t('invite.lastName'),
      role: t('invite.role'),
      receiveReservationTexts: t('invite.texts'),
      isDisabled: t('edit.disabled'),
    },
    values: {
      email: user.user.email,
      firstName: user.firstName,
      lastName: user.lastName,
      role: user.role,
      receiveReservationTexts: user.receiveReservationTexts,
      isDisabled: user.membershipStatus === 'Disabled',
    },
    version: user.version,
    format: { role: (role) => t(`role.${role}`) },
    save: ({ email: _unchanged, ...draft }, context) => mutateAsync({ user, draft, context }),
    done: (_saved, { firstName, lastName }) => t('done.saved', { user: nameOf({ ...user, firstName, lastName }) }),
    onDone,
  });
  const name = { maxLength: MAX_NAME, required: user.can.rename, readOnly: !user.can.rename };
  return (
    <FormFrame form={form} isBlocked={!form.isChanged}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <TextInput {...form.field('firstName')} {...name} data-autofocus={user.can.rename || undefined} />
        <TextInput {...form.field('lastName')} {...name} />
      </SimpleGrid>
      {user.can.rename ? null : (
        <Text size="sm" c="dimmed">
          {t('edit.nameFixed')}
        </Text>
      )}
      <TextInput {...form.field('email')} description={t('edit.emailHint')} readOnly />
      <NativeSelect
        {...form.field('role')}
        size="md"
        data={roleChoices(user).map((value) => ({ value, label: t(`role.${value}`) }))}
      />
      <Checkbox
        {...form.register('receiveReservationTexts')}
        label={t('invite.texts')}
        description={t('invite.textsHint')}
      />
      {user.can.disable ? (
        <Checkbox {...form.register('isDisabled')} label={t('edit.disabled')} description={t('edit.disabledHint')} />
      ) : null}
    </FormFrame>
  );
}
