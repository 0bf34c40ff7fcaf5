import { zodResolver } from '@/lib/zod-resolver';
import { Alert, Checkbox, Group, SimpleGrid, Stack, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { SubmitButton } from '@/components/submit-button';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useInviteOwner } from '../api/owners';
import { ownerSchema, type OwnerValues } from '../schema';
import { useMessage } from '../use-message';

const EMPTY: OwnerValues = { email: '', firstName: '', lastName: '', receiveReservationTexts: true };

/**
 * Invites an owner. A refusal sets the three messages of the spec at their fields (spec A sections 5 and 8); what the
 * server says stands below them, since it tells what is really the matter.
 */
export function InviteOwnerForm({ organizationId }: { organizationId: string }) {
  const { t, i18n } = useTranslation('organizations');
  const message = useMessage();
  const errorText = useErrorText();
  const invite = useInviteOwner(organizationId);
  const [refusal, setRefusal] = useState<string>();
  const { register, handleSubmit, setError, reset, formState } = useForm<OwnerValues>({
    resolver: zodResolver(ownerSchema),
    mode: 'onTouched',
    defaultValues: EMPTY,
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (values) => {
    setRefusal(undefined);
    try {
      await invite.mutateAsync({ ...values, language: i18n.language === 'es' ? 'es' : 'en' });
      toast.success(t('done.invited', { email: values.email }));
      reset(EMPTY);
    } catch (error) {
      setRefusal(sentenceOf(error));
      setError('lastName', { message: 'owners.lastNameMandatory' });
      setError('firstName', { message: 'owners.firstNameMandatory' });
      setError('email', { message: 'owners.emailMandatory' }, { shouldFocus: true });
    }
  });

  /** What the server says beyond the three messages. */
  function sentenceOf(error: unknown): string | undefined {
    const fields = error instanceof ApiError ? (error.problem.errors ?? []) : [];
    if (fields.length === 0) return errorText(error);
    const said = [t('owners.emailMandatory'), t('owners.firstNameMandatory'), t('owners.lastNameMandatory')];
    const sentences = new Set(fields.map((field) => field.message));
    return [...sentences].filter((sentence) => !said.includes(sentence)).join(' ') || undefined;
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Title order={3}>{t('owners.invite')}</Title>
        <TextInput
          type="email"
          label={t('owners.email')}
          autoComplete="off"
          required
          error={message(errors.email)}
          {...register('email')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput
            label={t('owners.firstName')}
            autoComplete="off"
            required
            maxLength={200}
            error={message(errors.firstName)}
            {...register('firstName')}
          />
          <TextInput
            label={t('owners.lastName')}
            autoComplete="off"
            required
            maxLength={200}
            error={message(errors.lastName)}
            {...register('lastName')}
          />
        </SimpleGrid>
        <Checkbox label={t('owners.texts')} {...register('receiveReservationTexts')} />
        {refusal ? (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        ) : null}
        <Group justify="flex-end">
          <SubmitButton loading={isSubmitting}>{t('owners.send')}</SubmitButton>
        </Group>
      </Stack>
    </form>
  );
}
