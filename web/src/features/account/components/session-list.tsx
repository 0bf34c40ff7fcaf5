import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endSession } from '@/access/end-session';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { ErrorState } from '@/components/error-state';
import { StatusBadge } from '@/components/status-badge';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { dateFormat } from '@/lib/date-formats';
import { type Session, sessionsQuery, useEndSession, useSignOutEverywhere } from '../api/sessions';
import classes from './session-list.module.css';
import { FormError } from '@/features/auth/ui/form-error';

/** Where the own account is signed in, and the way to end that. */
export function SessionList() {
  const { t } = useTranslation(['account', 'common']);
  const errorText = useErrorText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  const end = useEndSession();
  const everywhere = useSignOutEverywhere();
  const [isAsking, setIsAsking] = useState(false);
  const [failure, setFailure] = useState<string>();

  const handleEnd = (session: Session) => {
    setFailure(undefined);
    end.mutate(session.id, {
      onSuccess: () => toast.success(t('sessions.ended'), { about: session.id }),
      onError: (refusal) => setFailure(errorText(refusal)),
    });
  };
  const handleSignedOut = () => {
    endSession(queryClient, 'sign-out');
    void navigate({ to: '/login', replace: true });
  };

  return (
    <Stack gap="sm">
      <Title order={3} size="h4">
        {t('sessions.title')}
      </Title>
      {sessions ? (
        <ul className={classes.sessions}>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} busy={end.isPending} onEnd={() => handleEnd(session)} />
          ))}
        </ul>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : null}
      <FormError>{failure}</FormError>
      <div>
        <Button variant="default" onClick={() => setIsAsking(true)}>
          {t('sessions.everywhere')}
        </Button>
      </div>
      <ConfirmMutation
        danger
        subject={isAsking}
        title={t('sessions.everywhereTitle')}
        confirmLabel={t('sessions.everywhere')}
        run={() => everywhere.mutateAsync()}
        onDone={handleSignedOut}
        onClose={() => setIsAsking(false)}
      >
        <Text>{t('sessions.everywhereText')}</Text>
      </ConfirmMutation>
    </Stack>
  );
}

interface SessionRowProps {
  session: Session;
  busy: boolean;
  onEnd: () => void;
}

function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  const { t, i18n } = useTranslation('account');
  const { browser, system, address, lastSeenAt, createdAt, isCurrent } = session;
  const moment = (at: string) =>
    dateFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));
  const device =
    browser && system ? t('sessions.device', { browser, system }) : (browser ?? system ?? t('sessions.unknown'));
  return (
    <li className={classes.session}>
      <div>
        <Group gap="xs" component="span">
          <Text component="span" fw={600}>
            {device}
          </Text>
          {isCurrent ? <StatusBadge tone="brand">{t('sessions.current')}</StatusBadge> : null}
        </Group>
        <Text size="sm" c="dimmed">
          {t('sessions.facts', { address, since: moment(createdAt), seen: moment(lastSeenAt) })}
        </Text>
      </div>
      {isCurrent ? null : (
        <Button
          variant="default"
          size="compact-md"
          disabled={busy}
          aria-label={t('sessions.endNamed', { device, address })}
          onClick={onEnd}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  );
}
