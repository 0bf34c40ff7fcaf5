import { zodResolver } from '@/lib/zod-resolver';
import { Alert, Button, Group, Stack, Switch, TextInput } from '@mantine/core';
import i18next from 'i18next';
import { useState } from 'react';
import { Controller, type FieldError, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { newIdempotencyKey } from '@/api/client';
import { ApiError } from '@/api/errors';
import { applyFieldErrors } from '@/api/field-errors';
import { PictureInput } from '@/components/picture-input';
import { SubmitButton } from '@/components/submit-button';
import { toast } from '@/components/toast';
import { useCreateInsurer, useEditInsurer } from '../api/save-insurer';
import type { Insurer } from '../insurers.utils';
import { insurerSchema, type InsurerValues } from '../schema';

interface InsurerFormProps {
  /** The company as it is by now; none for a new one. */
  insurer: Insurer | null;
  onDone: () => void;
}

/** Name, logo, and whether it is a top insurance (spec B section 5). */
export function InsurerForm({ insurer, onDone }: InsurerFormProps) {
  const { t } = useTranslation(['insurers', 'common']);
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const create = useCreateInsurer(idempotencyKey);
  const edit = useEditInsurer();
  const [refusal, setRefusal] = useState<string>();
  const [isUploading, setIsUploading] = useState(false);
  const [isStale, setIsStale] = useState(false);
  // What the user saw when the form was opened: what someone else changed since must not be overwritten unseen.
  const [seen] = useState(insurer);
  const { register, control, handleSubmit, setError, formState } = useForm<InsurerValues>({
    resolver: zodResolver(insurerSchema),
    mode: 'onTouched',
    defaultValues: {
      name: seen?.name ?? '',
      logoPath: seen?.logoPath ?? null,
      isPrimary: seen?.isPrimary ?? false,
    },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ name, logoPath, isPrimary }) => {
    if (!logoPath) return;
    setRefusal(undefined);
    const draft = { name, logoPath, isPrimary };
    const present = isStale ? insurer : seen;
    try {
      const saved = await (present
        ? edit.mutateAsync({ ...draft, id: present.id, version: present.version })
        : create.mutateAsync(draft));
      toast.success(t(present ? 'done.saved' : 'done.created', { name: saved.name }));
      onDone();
    } catch (error) {
      // What was refused is asked again as another request, also when it reads the same.
      setIdempotencyKey(newIdempotencyKey());
      const isBehind = error instanceof ApiError && error.status === 412;
      if (isBehind) setIsStale(true);
      setRefusal(isBehind ? undefined : applyFieldErrors(setError, error, ['name', 'logoPath', 'isPrimary']));
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
        <Controller
          control={control}
          name="logoPath"
          render={({ field }) => (
            <PictureInput
              label={t('form.logo')}
              prefix="ins_"
              required
              value={field.value}
              onChange={field.onChange}
              onBusyChange={setIsUploading}
              error={message(errors.logoPath)}
            />
          )}
        />
        <Controller
          control={control}
          name="isPrimary"
          render={({ field }) => (
            <Switch
              label={t('top')}
              description={t('form.topHint')}
              checked={field.value}
              onChange={(event) => field.onChange(event.currentTarget.checked)}
            />
          )}
        />
        {refusal ? (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        ) : null}
        {isStale && insurer ? (
          <Alert color="yellow" role="alert" title={t('stale.title')}>
            {t('stale.text', { name: insurer.name })}
          </Alert>
        ) : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onDone}>
            {t('common:action.cancel')}
          </Button>
          <SubmitButton loading={isSubmitting || isUploading}>
            {t(isStale ? 'submit.replace' : 'submit.save')}
          </SubmitButton>
        </Group>
      </Stack>
    </form>
  );

  /** The text of a field's error: ours by key, the server's as it came. */
  function message(error: FieldError | undefined): string | undefined {
    const text = error?.message;
    if (!text || error.type === 'server' || !i18next.exists(text, { ns: 'insurers' })) return text;
    return t(text as 'error.name');
  }
}
