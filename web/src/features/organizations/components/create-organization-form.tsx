import { zodResolver } from '@/lib/zod-resolver';
import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { newIdempotencyKey } from '@/api/client';
import { applyFieldErrors } from '@/api/field-errors';
import { PictureInput } from '@/components/picture-input';
import { SubmitButton } from '@/components/submit-button';
import { toast } from '@/components/toast';
import { useCreateOrganization } from '../api/save-organization';
import { newOrganizationSchema, type NewOrganizationValues } from '../schema';
import { useMessage } from '../use-message';

interface CreateOrganizationFormProps {
  isCommercial: boolean;
  onDone: () => void;
}

/** A new organization; its owner is invited by mail (spec A section 5). */
export function CreateOrganizationForm({ isCommercial, onDone }: CreateOrganizationFormProps) {
  const { t } = useTranslation(['organizations', 'common']);
  const message = useMessage();
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const create = useCreateOrganization(isCommercial, idempotencyKey);
  const [refusal, setRefusal] = useState<string>();
  const [isUploading, setIsUploading] = useState(false);
  const { register, control, handleSubmit, setError, formState } = useForm<NewOrganizationValues>({
    resolver: zodResolver(newOrganizationSchema),
    mode: 'onTouched',
    defaultValues: { name: '', ownerEmail: '', logoPath: null },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ name, ownerEmail, logoPath }) => {
    if (!logoPath) return;
    setRefusal(undefined);
    try {
      const made = await create.mutateAsync({ name, ownerEmail, logoPath });
      toast.success(t('done.created', { name: made.name, email: ownerEmail }));
      onDone();
    } catch (error) {
      // What was refused is asked again as another request, also when it reads the same.
      setIdempotencyKey(newIdempotencyKey());
      setRefusal(applyFieldErrors(setError, error, ['name', 'ownerEmail', 'logoPath']));
    }
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <TextInput
          label={t('form.name')}
          autoComplete="off"
          required
          maxLength={200}
          data-autofocus
          error={message(errors.name)}
          {...register('name')}
        />
        <TextInput
          type="email"
          label={t('form.ownerEmail')}
          description={t('form.ownerEmailHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          required
          error={message(errors.ownerEmail)}
          {...register('ownerEmail')}
        />
        <Controller
          control={control}
          name="logoPath"
          render={({ field }) => (
            <PictureInput
              label={t('form.logo')}
              prefix="org_"
              required
              value={field.value}
              onChange={field.onChange}
              onBusyChange={setIsUploading}
              error={message(errors.logoPath)}
            />
          )}
        />
        {refusal ? (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        ) : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onDone}>
            {t('common:action.cancel')}
          </Button>
          <SubmitButton loading={isSubmitting || isUploading}>{t('submit.create')}</SubmitButton>
        </Group>
      </Stack>
    </form>
  );
}
