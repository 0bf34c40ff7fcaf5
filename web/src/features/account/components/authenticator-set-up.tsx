import { Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldMessage } from '@/api/field-message';
import { HeldForm } from '@/components/form/held-form';
import { useErrorText } from '@/components/use-error-text';
import { type TotpSetUp, useConfirmTotp } from '../api/authenticator';
import { CodeInput } from './code-input';
import { SubmitRow } from './submit-row';
import classes from './totp.module.css';

interface AuthenticatorSetUpProps {
  setUp: TotpSetUp;
  onCancel: () => void;
  /** Gets the recovery codes. */
  onDone: (recoveryCodes: readonly string[]) => void;
}

/** The key for the app, as a picture and to type, and the first code that proves it arrived. */
export function AuthenticatorSetUp({ setUp, onCancel, onDone }: AuthenticatorSetUpProps) {
  const { t } = useTranslation(['account', 'common']);
  const errorText = useErrorText();
  const confirm = useConfirmTotp();
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (confirm.isPending) return;
    if (code === '') return setError(t('totp.codeRequired'));
    if (code.length !== 6) return setError(t('totp.codeInvalid'));
    try {
      // Awaited here: once the app is on this form is gone, and the codes must not go with it.
      onDone((await confirm.mutateAsync(code)).recoveryCodes);
    } catch (refusal) {
      setError(fieldMessage(refusal) ?? errorText(refusal));
    }
  };

  return (
    <HeldForm isSending={confirm.isPending} error={error} onSubmit={(event) => void handleSubmit(event)}>
      <Stack gap="md">
        <Text>{t('totp.scan')}</Text>
        <img
          className={classes.qr}
          alt={t('totp.qr')}
          src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(setUp.qrSvg)}`}
        />
        <div>
          <Text>{t('totp.type')}</Text>
          <div className={classes.key} translate="no">
            {groupsOfFour(setUp.secret)}
          </div>
        </div>
        <CodeInput
          label={t('totp.code')}
          description={t('totp.thenCode')}
          maw={320}
          value={code}
          error={error}
          onChange={(digits) => {
            setCode(digits);
            setError(undefined);
          }}
        />
        <SubmitRow isSending={confirm.isPending} label={t('totp.confirm')} onCancel={onCancel} />
      </Stack>
    </HeldForm>
  );
}

/** Easier to type: `ABCD EFGH`; apps ignore the blanks. */
function groupsOfFour(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}
