import { Alert } from '@mantine/core';
import { CloudOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Waiting } from '@/api/ask-until-known';

/** Says that what was sent has no outcome yet. */
export function WaitingNotice({ waiting }: { waiting: Waiting | undefined }) {
  const { t } = useTranslation('find');
  if (!waiting) return null;
  return (
    <Alert color="yellow" role="status" icon={<CloudOff size={18} aria-hidden />}>
      {t(`wait.${waiting}`)}
    </Alert>
  );
}
