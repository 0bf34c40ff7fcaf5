import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { NotFoundError } from '@/api/errors';
import { foreignLanguage } from '@/api/problem-words';
import { SubmitButton } from '@/components/submit-button';
import { useErrorText } from '@/components/use-error-text';
import { zodResolver } from '@/lib/zod-resolver';
import { type Proof, stateQuery } from '../api/public-queries';
import { lookupSchema, withoutMarks } from '../find.schema';
import { useInvalidText } from '../use-invalid-text';
import { Heading } from './heading';

interface LookupViewProps {
  /** The code of a reservation that was just made, without the digits that show it. */
  madeCode: string | undefined;
  onFound: (proof: Proof) => void;
}

/** Six digits are most likely the code of a text message. Few codes of reservations have no letter, and none has a 0 or a 1. */
const SIX_DIGITS = /^\d{6}$/;
const NEVER_IN_A_CODE = /[01]/;

/** Asks for the code and the digits that show a reservation. */
export function LookupView({ madeCode, onFound }: LookupViewProps) {
  const { t } = useTranslation('find');
  const text = useInvalidText();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const form = useForm({
    resolver: zodResolver(lookupSchema),
    mode: 'onSubmit',
    defaultValues: { code: madeCode ?? '', digits: '' },
  });
  const handleSubmit = form.handleSubmit(async ({ code, digits }) => {
    setFailure(undefined);
    const proof = { code: code.toUpperCase(), digits };
    const isOfMessage = SIX_DIGITS.test(proof.code);
    const sayOfMessage = () => form.setError('code', { message: t('lookup.codeOfMessage') }, { shouldFocus: true });
    if (isOfMessage && NEVER_IN_A_CODE.test(proof.code)) return sayOfMessage();
    try {
      await queryClient.fetchQuery({ ...stateQuery(proof), gcTime: 5000 });
      onFound(proof);
    } catch (error) {
      if (isOfMessage && error instanceof NotFoundError) return sayOfMessage();
      setFailure(error instanceof NotFoundError ? t('lookup.notFound') : errorText(error));
    }
  });
  const { errors, isSubmitting } = form.formState;
  return (
    <form noValidate autoComplete="off" onSubmit={(event) => void handleSubmit(event)}>
      <Stack gap="lg">
        <Stack gap="xs">
          <Heading>{t('lookup.title')}</Heading>
          {madeCode === undefined ? (
            <Text>{t('lookup.intro')}</Text>
          ) : (
            <Alert color="green" icon={<CircleCheck size={18} aria-hidden />} role="status">
              <Text fw={600}>{t('state.made', { code: madeCode })}</Text>
              <Text>{t('state.codeHint')}</Text>
            </Alert>
          )}
        </Stack>
        <TextInput
          {...form.register('code', { setValueAs: withoutMarks })}
          label={t('lookup.code')}
          description={t('lookup.codeHint')}
          required
          maxLength={12}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={text(errors.code?.message)}
        />
        <TextInput
          {...form.register('digits', { setValueAs: withoutMarks })}
          label={t('lookup.digits')}
          required
          inputMode="numeric"
          maxLength={10}
          autoComplete="off"
          error={text(errors.digits?.message)}
        />
        {failure ? (
          <Alert color="red" role="alert" icon={<CircleAlert size={18} aria-hidden />} lang={foreignLanguage(failure)}>
            {failure}
          </Alert>
        ) : null}
        <span>
          <SubmitButton loading={isSubmitting}>{t('lookup.submit')}</SubmitButton>
        </span>
      </Stack>
    </form>
  );
}
