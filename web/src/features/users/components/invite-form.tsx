import { zodResolver } from '@/lib/zod-resolver';
import { Button, Checkbox, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ApiError, ValidationError } from '@/api/errors';
import { applyFieldErrors } from '@/api/field-errors';
import { SubmitButton } from '@/components/submit-button';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useLeaveGuard } from '@/components/use-leave-guard';
import { useInviteSiteUser } from '../api/save-access-user';
import { inviteSchema, type InviteValues, MAX_NAME } from '../schema';
import { SITE_ROLES } from '../users.utils';
import { useUsersMessage } from './use-users-message';

interface InviteFormProps {
  siteId: string;
  onDone: () => void;
}

/** Invites someone to a site. Whatever the server refuses stands at the e-mail (spec A section 8). */
export function InviteForm({ siteId, onDone }: InviteFormProps) {
  const { t, i18n } = useTranslation(['users', 'common']);
  const message = useUsersMessage();
  const errorText = useErrorText();
  const invite = useInviteSiteUser(siteId);
  const { register, handleSubmit, setError, control, formState } = useForm<InviteValues>({
    resolver: zodResolver(inviteSchema),
    mode: 'onTouched',
    defaultValues: {
      email: '',
      firstName: '',
      lastName: '',
      role: 'Admin',
      receiveReservationTexts: true,
      language: i18n.language === 'es' ? 'es' : 'en',
    },
  });
  const { errors, isDirty, isSubmitting, isSubmitSuccessful } = formState;
  const role = useWatch({ control, name: 'role' });
  const leaveGuard = useLeaveGuard(isDirty && !isSubmitSuccessful);

  const submit = handleSubmit(async (values) => {
    try {
      await invite.mutateAsync(values);
      toast.success(t('done.invited', { email: values.email }));
      onDone();
    } catch (error) {
      const rest =
        error instanceof ValidationError || (error instanceof ApiError && error.problem.errors?.length)
          ? placeErrors(error)
          : errorText(error);
      if (rest) setError('email', { type: 'server', message: rest }, { shouldFocus: true });
    }
  });

  function placeErrors(error: ApiError): string | undefined {
    const asFields = new ValidationError(422, error.problem);
    return applyFieldErrors(setError, asFields, ['email', 'firstName', 'lastName', 'role', 'language']);
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text c="dimmed">{t('invite.text')}</Text>
        <TextInput
          type="email"
          label={t('invite.email')}
          autoComplete="off"
          required
          data-autofocus
          error={message(errors.email)}
          {...register('email')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput
            label={t('invite.firstName')}
            autoComplete="off"
            maxLength={MAX_NAME}
            required
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
          <NativeSelect
            label={t('invite.role')}
            description={t(`roleHint.${role}`)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            size="md"
            data={SITE_ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
            error={message(errors.role)}
            {...register('role')}
          />
          <NativeSelect
            label={t('invite.language')}
            size="md"
            data={(['en', 'es'] as const).map((value) => ({ value, label: t(`language.${value}`) }))}
            error={message(errors.language)}
            {...register('language')}
          />
        </SimpleGrid>
        <Checkbox
          label={t('invite.texts')}
          description={t('invite.textsHint')}
          {...register('receiveReservationTexts')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onDone}>
            {t('common:action.cancel')}
          </Button>
          <SubmitButton loading={isSubmitting}>{t('sendInvite')}</SubmitButton>
        </Group>
      </Stack>
      {leaveGuard}
    </form>
  );
}
