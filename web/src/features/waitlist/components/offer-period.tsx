import { Button, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnsavedGuard } from '@/components/form/use-unsaved-guard';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useSaveOfferPeriod } from '../api/waitlist-commands';
import classes from './waitlist.module.css';

const LEAST_MINUTES = 5;
const MOST_MINUTES = 1440;

/** How long an offer of this site stands. What is typed stays when it is refused. */
export function OfferPeriod({ siteId, minutes }: { siteId: string; minutes: number }) {
  const { t } = useTranslation('reservations', { keyPrefix: 'waitlist' });
  const { t: common } = useTranslation('common');
  const errorText = useErrorText();
  const [typed, setTyped] = useState<number | string>(minutes);
  const { mutate, isPending, error, reset } = useSaveOfferPeriod(siteId);
  const guard = useUnsavedGuard(typed !== minutes, isPending ? { text: common('leavePage.unconfirmed') } : {});
  const isValid = typeof typed === 'number' && typed >= LEAST_MINUTES && typed <= MOST_MINUTES;
  const refusal = error
    ? errorText(error)
    : isValid
      ? null
      : t('period.range', { least: LEAST_MINUTES, most: MOST_MINUTES });
  return (
    <form
      className={classes.period}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isValid || isPending) return;
        mutate(typed, {
          onSuccess: () => {
            guard.release();
            toast.success(t('period.saved', { count: typed }));
          },
        });
      }}
    >
      <NumberInput
        label={t('period.label')}
        description={t('period.hint')}
        value={typed}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        inputMode="numeric"
        error={refusal}
        onChange={(value) => {
          reset();
          setTyped(value);
        }}
      />
      <Button type="submit" variant="default" loading={isPending} disabled={typed === minutes}>
        {common('action.save')}
      </Button>
      {guard.question}
    </form>
  );
}
