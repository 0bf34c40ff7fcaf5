import { Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { fieldMessage } from '@/api/field-message';
import { Refusal } from '@/components/refusal';
import { SubmitButton } from '@/components/submit-button';
import { useErrorText } from '@/components/use-error-text';
import { useSetName } from '../api/name';

/** Longest name the server takes. */
const MAX_NAME = 200;

interface NameFieldsProps {
  cancelLabel: string;
  onDone: () => void;
  onCancel: () => void;
}

/** First and last name of whoever is signed in. */
export function NameFields({ cancelLabel, onDone, onCancel }: NameFieldsProps) {
  const { t } = useTranslation(['shell', 'common']);
  const user = useUser();
  const errorText = useErrorText();
  const setName = useSetName();
  const [name, setTyped] = useState({ firstName: user.firstName, lastName: user.lastName });
  const [errors, setErrors] = useState<{ firstName?: string; lastName?: string }>({});
  const [failure, setFailure] = useState<string>();

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (setName.isPending) return;
    setFailure(undefined);
    const missing = {
      ...(name.firstName.trim() === '' ? { firstName: t('name.firstRequired') } : {}),
      ...(name.lastName.trim() === '' ? { lastName: t('name.lastRequired') } : {}),
    };
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    setName.mutate(name, {
      onSuccess: onDone,
      onError: (error) => {
        setErrors({ firstName: fieldMessage(error, '/firstName'), lastName: fieldMessage(error, '/lastName') });
        if (fieldMessage(error) === undefined) setFailure(errorText(error));
      },
    });
  };

  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          {(['firstName', 'lastName'] as const).map((field) => (
            <TextInput
              key={field}
              label={t(`name.${field}`)}
              autoComplete={field === 'firstName' ? 'given-name' : 'family-name'}
              maxLength={MAX_NAME}
              required
              withAsterisk={false}
              data-autofocus={field === 'firstName' || undefined}
              value={name[field]}
              error={errors[field]}
              onChange={(event) => {
                setTyped({ ...name, [field]: event.currentTarget.value });
                setErrors({ ...errors, [field]: undefined });
              }}
            />
          ))}
        </SimpleGrid>
        <Refusal>{failure}</Refusal>
        <Group gap="sm">
          <SubmitButton loading={setName.isPending}>{t('common:action.save')}</SubmitButton>
          <Button variant="default" onClick={onCancel}>
            {cancelLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
