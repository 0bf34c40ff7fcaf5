import { Button, Group, SimpleGrid, TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { useUser } from '@/access/use-user';
import { useRequestClose } from '@/components/dialog/dialog-context';
import { FormFrame } from '@/components/form/form-frame';
import { useSaveForm } from '@/components/form/use-save-form';
import { SubmitButton } from '@/components/submit-button';
import { textKeys } from '@/i18n/text-key';
import { useSetName } from '../api/name';

/** Longest name the server takes. */
const MAX_NAME = 200;

const text = textKeys('shell');
const schema = z.object({
  firstName: z.string().check(z.trim(), z.minLength(1, text('name.firstRequired'))),
  lastName: z.string().check(z.trim(), z.minLength(1, text('name.lastRequired'))),
});

interface NameFieldsProps {
  cancelLabel: string;
  onDone: () => void;
  onCancel: () => void;
}

/** First and last name of whoever is signed in. */
export function NameFields({ cancelLabel, onDone, onCancel }: NameFieldsProps) {
  const { t } = useTranslation(['shell', 'common']);
  const { firstName, lastName } = useUser();
  const { mutateAsync } = useSetName();
  const cancel = useRequestClose() ?? onCancel;
  const form = useSaveForm({
    schema,
    labels: { firstName: t('name.firstName'), lastName: t('name.lastName') },
    values: { firstName, lastName },
    save: (name) => mutateAsync(name),
    onDone,
    // If a name is missing, Save must mark the empty field.
    onUnchanged: firstName && lastName ? onCancel : undefined,
  });
  const { setFocus } = form;
  useEffect(() => setFocus('firstName'), [setFocus]);
  const input = { maxLength: MAX_NAME, required: true, withAsterisk: false } as const;
  const foot = (
    <Group gap="sm">
      <SubmitButton loading={form.isSending || form.isFinished}>{t('common:action.save')}</SubmitButton>
      <Button variant="default" onClick={cancel}>
        {cancelLabel}
      </Button>
    </Group>
  );
  return (
    <FormFrame form={form} foot={foot}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <TextInput {...form.field('firstName')} {...input} autoComplete="given-name" data-autofocus />
        <TextInput {...form.field('lastName')} {...input} autoComplete="family-name" />
      </SimpleGrid>
    </FormFrame>
  );
}
