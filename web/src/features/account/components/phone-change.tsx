import { Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { ValidationError } from '@/api/errors';
import { fieldMessage } from '@/api/field-message';
import { FormError } from '@/features/auth/ui/form-error';
import { formatPhone } from '@/lib/phone';
import { isPersonalPhone, isPhone } from '@/lib/phone-plan';
import { PhoneInput } from '@/components/phone-input';
import { HeldForm } from '@/components/form/held-form';
import { toast } from '@/components/toast';
import { useChangePhone, useSendPhoneCode } from '../api/profile';
import { type Failure, useAuthFailure } from '@/features/auth/ui/use-auth-error';
import { useFreshProof } from '@/features/auth/ui/use-fresh-proof';
import { CodeInput } from './code-input';
import { OwnFact } from './own-fact';
import { SubmitRow } from './submit-row';

/** The phone for the codes: shown, then a new one entered, then the code that was sent to it. */
export function PhoneChange() {
  const { t } = useTranslation(['account', 'common']);
  const user = useUser();
  const toFailure = useAuthFailure();
  const sendCode = useSendPhoneCode();
  const changePhone = useChangePhone();
  const { withProof, giveUp, dialog } = useFreshProof();
  const [step, setStep] = useState<'show' | 'enter' | 'confirm'>('show');
  const [phone, setPhone] = useState('');
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<Failure>();

  const leave = () => {
    giveUp();
    setStep('show');
    setPhone('');
    setCode('');
    setError(undefined);
    setFailure(undefined);
  };
  const tell = (refusal: unknown) => {
    if (refusal instanceof ValidationError) setError(fieldMessage(refusal) ?? refusal.message);
    else setFailure(toFailure(refusal));
  };

  const handleSend = async (event: FormEvent) => {
    event.preventDefault();
    if (sendCode.isPending) return;
    setFailure(undefined);
    if (phone === '') return setError(t('profile.phoneRequired'));
    if (!isPhone(phone)) return setError(t('common:phone.incorrect'));
    if (!isPersonalPhone(phone)) return setError(t('common:phone.notPersonal'));
    try {
      if (await withProof(() => sendCode.mutateAsync(phone))) setStep('confirm');
    } catch (refusal) {
      tell(refusal);
    }
  };

  const handleConfirm = async (event: FormEvent) => {
    event.preventDefault();
    if (changePhone.isPending) return;
    setFailure(undefined);
    if (code === '') return setError(t('profile.codeRequired'));
    if (code.length !== 6) return setError(t('profile.codeInvalid'));
    const change = async () => {
      await changePhone.mutateAsync({ phone, token: code });
      // Also to a user who has pressed Cancel by then.
      toast.success(t('profile.phoneUpdated'));
    };
    try {
      if (await withProof(change)) leave();
    } catch (refusal) {
      tell(refusal);
    }
  };

  const isEntering = step === 'enter';
  const isSending = sendCode.isPending || changePhone.isPending;
  return (
    <OwnFact
      label={t('profile.phone')}
      value={formatPhone(user.phone) || t('common:notAvailable')}
      changeLabel={t('profile.changePhone')}
      onChange={() => setStep('enter')}
      step={step}
    >
      <HeldForm
        isSending={isSending}
        error={error}
        onSubmit={(event) => void (isEntering ? handleSend(event) : handleConfirm(event))}
      >
        <Stack gap="md">
          {isEntering ? (
            <PhoneInput
              label={t('profile.newPhone')}
              required
              withAsterisk={false}
              value={phone}
              error={error}
              onChange={(value) => {
                setPhone(value);
                setError(undefined);
              }}
            />
          ) : (
            <>
              <Text role="status">{t('profile.codeSent', { phone: formatPhone(phone) })}</Text>
              <CodeInput
                label={t('profile.code')}
                value={code}
                error={error}
                onChange={(digits) => {
                  setCode(digits);
                  setError(undefined);
                }}
              />
            </>
          )}
          <FormError failure={failure} />
          <SubmitRow
            isSending={isSending}
            label={isEntering ? t('profile.sendCode') : t('common:action.confirm')}
            onCancel={leave}
          />
        </Stack>
        {dialog}
      </HeldForm>
    </OwnFact>
  );
}
