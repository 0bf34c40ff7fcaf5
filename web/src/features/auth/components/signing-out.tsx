import { Group, Loader, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLogout } from '@/features/account/api/session';
import { clearDrafts } from '@/lib/drafts';

interface SigningOutProps {
  reason?: 'idle';
  returnTo?: string;
}

/** Ends the session, then shows the sign-in page. */
export function SigningOut({ reason, returnTo }: SigningOutProps) {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const { mutate } = useLogout();
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    // After the idle limit the same user comes back to what was typed; drafts of others are thrown away by then.
    if (reason !== 'idle') clearDrafts();
    // Also when the server cannot be reached: here everything is forgotten, there the idle limit ends the session.
    mutate(undefined, {
      onSettled: () => void navigate({ to: '/login', search: { reason, returnTo }, replace: true }),
    });
  }, [mutate, navigate, reason, returnTo]);
  return (
    <Group gap="sm" p="xl" justify="center" role="status">
      <Loader size="sm" />
      <Text>{t('loggingOut')}</Text>
    </Group>
  );
}
