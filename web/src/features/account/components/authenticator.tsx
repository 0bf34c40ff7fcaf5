import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { type TotpSetUp, useBeginTotp, useEndTotp, useNewRecoveryCodes } from '../api/authenticator';
import { useFreshProof } from '@/features/auth/ui/use-fresh-proof';
import { FormError } from '@/features/auth/ui/form-error';
import { AuthenticatorSetUp } from './authenticator-set-up';
import { RecoveryCodes } from './recovery-codes';

/** Below this the user is told to make new recovery codes. */
const FEW = 4;

/** The authenticator app of the own account: set up, new recovery codes, turn off; each with a fresh proof. */
export function Authenticator() {
  const { t } = useTranslation(['account', 'common']);
  const user = useUser();
  const errorText = useErrorText();
  const { withProof, dialog } = useFreshProof();
  const begin = useBeginTotp();
  const renew = useNewRecoveryCodes();
  const end = useEndTotp();
  const [setUp, setSetUp] = useState<TotpSetUp>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [question, setQuestion] = useState<'newCodes' | 'turnOff'>();
  const [failure, setFailure] = useState<string>();

  const close = () => setQuestion(undefined);
  const handleBegin = async () => {
    setFailure(undefined);
    try {
      await withProof(async () => setSetUp(await begin.mutateAsync()));
    } catch (error) {
      setFailure(errorText(error));
    }
  };

  return (
    <Stack gap="sm">
      <Title order={3} size="h4">
        {t('totp.title')}
      </Title>
      {user.hasTotp ? (
        <>
          <Text>
            {t('totp.on')} {t('totp.left', { count: user.recoveryCodesLeft })}{' '}
            {user.recoveryCodesLeft < FEW ? t('totp.fewLeft') : null}
          </Text>
          <Group gap="sm">
            <Button variant="default" onClick={() => setQuestion('newCodes')}>
              {t('totp.newCodes')}
            </Button>
            <Button variant="default" onClick={() => setQuestion('turnOff')}>
              {t('totp.turnOff')}
            </Button>
          </Group>
        </>
      ) : (
        <>
          <Text>{t('totp.off')}</Text>
          <Text c="dimmed">{t('totp.smsRisk')}</Text>
          {setUp ? (
            <AuthenticatorSetUp
              setUp={setUp}
              onCancel={() => setSetUp(undefined)}
              onDone={(recoveryCodes) => {
                setSetUp(undefined);
                setCodes(recoveryCodes);
                toast.success(t('totp.turnedOn'), { about: 'authenticator' });
              }}
            />
          ) : (
            <div>
              <Button loading={begin.isPending} onClick={() => void handleBegin()}>
                {t('totp.setUp')}
              </Button>
            </div>
          )}
        </>
      )}
      <FormError>{failure}</FormError>
      <ConfirmMutation
        subject={question === 'newCodes'}
        title={t('totp.newCodesTitle')}
        confirmLabel={t('totp.newCodes')}
        run={() => withProof(async () => setCodes((await renew.mutateAsync(undefined)).recoveryCodes))}
        onClose={close}
      >
        <Text>{t('totp.newCodesText')}</Text>
      </ConfirmMutation>
      <ConfirmMutation
        danger
        subject={question === 'turnOff'}
        title={t('totp.turnOffTitle')}
        confirmLabel={t('totp.turnOff')}
        run={() => withProof(() => end.mutateAsync())}
        done={() => t('totp.turnedOff')}
        onClose={close}
      >
        <Text>{t('totp.turnOffText')}</Text>
      </ConfirmMutation>
      {dialog}
      {codes ? <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} /> : null}
    </Stack>
  );
}
