import { zodResolver } from '@/lib/zod-resolver';
import { Alert, Button, Checkbox, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ValidationError } from '@/api/errors';
import { applyFieldErrors } from '@/api/field-errors';
import { SubmitButton } from '@/components/submit-button';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useLeaveGuard } from '@/components/use-leave-guard';
import { useEditAccessUser } from '../api/save-access-user';
import type { AccessUser } from '../api/types';
import { editSchema, type EditValues, MAX_NAME } from '../schema';
import { nameOf, roleChoices } from '../users.utils';
import { useUsersMessage } from './use-users-message';

interface EditUserFormProps {
  user: AccessUser;
  onDone: () => void;
}

/** Names, role, texts and access of one user; the e-mail is shown, only its owner changes it (spec A section 5). */
export function EditUserForm({ user, onDone }: EditUserFormProps) {
  const { t } = useTranslation(['users', 'common']);
  const message = useUsersMessage();
  const errorText = useErrorText();
  const edit = useEditAccessUser();
  const [refusal, setRefusal] = useState<string>();
  const { register, handleSubmit, setError, formState } = useForm<EditValues>({
    resolver: zodResolver(editSchema),
    mode: 'onTouched',
    defaultValues: {
      email: user.user.email,
      firstName: user.firstName,
      lastName: user.lastName,
      role: user.role,
      receiveReservationTexts: user.receiveReservationTexts,
      isDisabled: user.membershipStatus === 'Disabled',
    },
  });
  const { errors, isDirty, isSubmitting, isSubmitSuccessful } = formState;
  const leaveGuard = useLeaveGuard(isDirty && !(isSubmitSuccessful && refusal === undefined));

  const submit = handleSubmit(async ({ email: _unchanged, ...draft }) => {
    setRefusal(undefined);
    try {
      await edit.mutateAsync({ user, draft });
      toast.success(t('done.saved', { user: nameOf({ ...user, ...draft }) }));
      onDone();
    } catch (error) {
      setRefusal(
        error instanceof ValidationError
          ? applyFieldErrors(setError, error, ['firstName', 'lastName', 'role'])
          : errorText(error),
      );
    }
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput
            label={t('invite.firstName')}
            autoComplete="off"
            maxLength={MAX_NAME}
            required
            data-autofocus
            error={message(errors.firstName)}
            {...register('firstName')}
          />
          <TextInput
            label={t('invite.lastName')}
            autoComplete="off"
            maxLength={MAX_NAME}
            required
            error={message(errors.lastName)}
            {...register('lastName')}
          />
        </SimpleGrid>
        <TextInput
          label={t('edit.email')}
          description={t('edit.emailHint')}
          readOnly
          error={message(errors.email)}
          {...register('email')}
        />
        <NativeSelect
          label={t('invite.role')}
          size="md"
          data={roleChoices(user).map((value) => ({ value, label: t(`role.${value}`) }))}
          error={message(errors.role)}
          {...register('role')}
        />
        <Checkbox
          label={t('invite.texts')}
          description={t('invite.textsHint')}
          {...register('receiveReservationTexts')}
        />
        {user.can.disable ? (
          <Checkbox label={t('edit.disabled')} description={t('edit.disabledHint')} {...register('isDisabled')} />
        ) : null}
        {refusal ? (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        ) : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onDone}>
            {t('common:action.cancel')}
          </Button>
          <SubmitButton loading={isSubmitting} disabled={!isDirty}>
            {t('common:action.save')}
          </SubmitButton>
        </Group>
      </Stack>
      {leaveGuard}
    </form>
  );
}
