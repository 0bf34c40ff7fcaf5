import { zodResolver } from '@/lib/zod-resolver';
import { Alert, Button, Checkbox, Group, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { ApiError } from '@/api/errors';
import { applyFieldErrors } from '@/api/field-errors';
import { PictureInput } from '@/components/picture-input';
import { SubmitButton } from '@/components/submit-button';
import { toast } from '@/components/toast';
import { useEditOrganization } from '../api/save-organization';
import { METHODS } from '../organizations.utils';
import { organizationSchema, type OrganizationValues } from '../schema';
import { useMessage } from '../use-message';

interface EditOrganizationFormProps {
  /** The organization as it is by now. */
  organization: Schemas['Organization'];
  onDone: () => void;
}

/** Name, logo, ways to pay and, for global admins, whether the organization is shown (spec A sections 5 and 6). */
export function EditOrganizationForm({ organization, onDone }: EditOrganizationFormProps) {
  const { t } = useTranslation(['organizations', 'common']);
  const message = useMessage();
  const edit = useEditOrganization();
  const canToggle = useCan('organization.toggleVisibility', { organization });
  const [refusal, setRefusal] = useState<string>();
  const [isUploading, setIsUploading] = useState(false);
  const [isStale, setIsStale] = useState(false);
  // What the user saw when the form was opened: what someone else changed since must not be overwritten unseen.
  const [seen] = useState(organization);
  const { register, control, handleSubmit, setError, formState } = useForm<OrganizationValues>({
    resolver: zodResolver(organizationSchema),
    mode: 'onTouched',
    defaultValues: {
      name: seen.name,
      logoPath: seen.logoPath,
      methods: seen.reservationPaymentMethods.map((method) => method.id),
      isShown: !seen.isDisabled,
    },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ name, logoPath, methods, isShown }) => {
    setRefusal(undefined);
    const { id, version } = isStale ? organization : seen;
    const shown = canToggle ? { isDisabled: !isShown } : {};
    try {
      const saved = await edit.mutateAsync({
        id,
        version,
        name,
        logoPath,
        reservationPaymentMethodIds: methods,
        ...shown,
      });
      toast.success(t('done.saved', { name: saved.name }));
      onDone();
    } catch (error) {
      const isBehind = error instanceof ApiError && error.status === 412;
      if (isBehind) setIsStale(true);
      const rename = { reservationPaymentMethodIds: 'methods', isDisabled: 'isShown' } as const;
      setRefusal(isBehind ? undefined : applyFieldErrors(setError, error, ['name', 'logoPath'], rename));
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
              prefix="org_"
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
          name="methods"
          render={({ field }) => (
            <Checkbox.Group
              label={t('form.methods')}
              description={t('form.methodsHint')}
              withAsterisk
              value={field.value.map(String)}
              onChange={(values) => field.onChange(values.map(Number).toSorted())}
              error={message(Array.isArray(errors.methods) ? errors.methods[0] : errors.methods)}
            >
              <Stack gap="xs" mt="xs" mb="xs">
                {METHODS.map((method) => (
                  <Checkbox key={method} value={String(method)} label={t(`method.${method}`)} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
        />
        {canToggle ? (
          <Controller
            control={control}
            name="isShown"
            render={({ field }) => (
              <Switch
                label={t('form.shown')}
                description={t('form.shownHint')}
                checked={field.value}
                onChange={(event) => field.onChange(event.currentTarget.checked)}
                error={message(errors.isShown)}
              />
            )}
          />
        ) : null}
        {refusal ? (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        ) : null}
        {isStale ? (
          <Alert color="yellow" role="alert" title={t('stale.title')}>
            {t('stale.text', { name: organization.name })}
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
}
