import { Alert } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { foreignLanguage } from '@/api/problem-words';
import { formatWait } from '@/lib/format';
import type { Failure } from './use-auth-error';
import { useCountdown } from '../use-countdown';

interface FormErrorProps {
  children?: string | null;
  /** Instead of a text; counts down where the server said how long to wait. */
  failure?: Failure | undefined;
}

/** The refusal under a form; announced when it appears. */
export function FormError({ children, failure }: FormErrorProps) {
  const text = failure?.text ?? children;
  if (!text) return null;
  return (
    <Alert color="red" role="alert" lang={foreignLanguage(text)} icon={<CircleAlert size={18} aria-hidden />}>
      {failure?.until === undefined ? text : <Wait key={failure.until} until={failure.until} />}
    </Alert>
  );
}

/** How long to wait, in words, counting. A screen reader hears it once, and once more when the time is over. */
function Wait({ until }: { until: number }) {
  const { t, i18n } = useTranslation();
  const seconds = useCountdown(until);
  const [first] = useState(seconds);
  if (seconds === 0) return t('error.waitOver');
  return (
    <>
      <span className="berth-hidden">{t('error.wait', { wait: formatWait(first, i18n.language) })}</span>
      <span aria-hidden>{t('error.wait', { wait: formatWait(seconds, i18n.language) })}</span>
    </>
  );
}
