import { Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CurrentUser, hasRole } from '@/access/user';
import { Refusal } from '@/components/refusal';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Loading } from '@/components/skeletons';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useHeldRows } from '@/components/use-held-rows';
import { dateFormat } from '@/lib/date-formats';
import { steadyPress } from '@/lib/steady-press';
import { invitationsQuery, type PendingInvitation, useAnswerInvitation } from '../api/invitations';

/** The invitations of the signed-in person: each is accepted or declined. */
export function InvitationList() {
  const { t } = useTranslation(['account', 'users']);
  const errorText = useErrorText();
  const navigate = useNavigate();
  const { data: invitations, error, refetch } = useQuery(invitationsQuery);
  const answer = useAnswerInvitation();
  const list = useHeldRows<HTMLDivElement>();
  const [declining, setDeclining] = useState<PendingInvitation | null>(null);
  const [refusal, setRefusal] = useState<string>();
  const place = ({ siteName, organizationName }: PendingInvitation) =>
    siteName ?? organizationName ?? t('signup.platform');

  const send = (invitation: PendingInvitation, accepts: boolean) => answer.mutateAsync({ id: invitation.id, accepts });
  const handleAnswered = async (invitation: PendingInvitation, accepts: boolean, user: CurrentUser | null) => {
    const words = { place: place(invitation), role: t(`users:role.${invitation.role}`) };
    toast.success(t(accepts ? 'invitations.accepted' : 'invitations.declined', words), { about: invitation.id });
    setDeclining(null);
    // Whoever declined the only access has nothing left to be signed in for.
    if (!user || (!hasRole(user) && user.pendingInvitations === 0)) await navigate({ to: '/logout' });
    else if (user.pendingInvitations === 0) await navigate({ to: '/' });
  };
  const handleAccept = async (invitation: PendingInvitation) => {
    setRefusal(undefined);
    try {
      await handleAnswered(invitation, true, await send(invitation, true));
    } catch (failure) {
      setRefusal(errorText(failure));
    }
  };

  if (!invitations)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <InvitationsSkeleton />;
  if (invitations.length === 0) {
    return (
      <EmptyState
        icon={<MailCheck size={32} strokeWidth={1.5} />}
        title={t('invitations.empty')}
        hint={t('invitations.emptyHint')}
      />
    );
  }
  return (
    <Stack gap="md" maw={640}>
      <Text>{t('invitations.text')}</Text>
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }} ref={list} {...steadyPress}>
        {invitations.map((invitation) => (
          <li key={invitation.id}>
            <Invitation
              invitation={invitation}
              busy={answer.isPending}
              onAccept={() => void handleAccept(invitation)}
              onDecline={() => setDeclining(invitation)}
            />
          </li>
        ))}
      </Stack>
      <Refusal>{refusal}</Refusal>
      <ConfirmMutation
        danger
        subject={declining}
        title={t('invitations.declineTitle')}
        confirmLabel={t('invitations.decline')}
        run={async (invitation) => handleAnswered(invitation, false, await send(invitation, false))}
        onClose={() => setDeclining(null)}
      >
        {(invitation) => <Text>{t('invitations.declineText', { place: place(invitation) })}</Text>}
      </ConfirmMutation>
    </Stack>
  );
}

/** Stands for the invitations while they load: one below the other. */
function InvitationsSkeleton() {
  return (
    <Stack gap="md" maw={640}>
      <Loading />
      <Skeleton height={24} />
      <Skeleton height={176} radius="md" />
    </Stack>
  );
}

interface InvitationProps {
  invitation: PendingInvitation;
  busy: boolean;
  onAccept: () => void;
  onDecline: () => void;
}

function Invitation({ invitation, busy, onAccept, onDecline }: InvitationProps) {
  const { t, i18n } = useTranslation(['account', 'users']);
  const { organizationName, siteName, role, invitedBy, createdAt } = invitation;
  const name = siteName ?? organizationName ?? t('signup.platform');
  const day = dateFormat(i18n.language, { dateStyle: 'medium' }).format(new Date(createdAt));
  return (
    <Card component="section" aria-label={name}>
      <Stack gap="sm">
        <div>
          <Title order={2} size="h4">
            {name}
          </Title>
          {siteName && organizationName ? <Text c="dimmed">{organizationName}</Text> : null}
        </div>
        <Text>
          {invitedBy
            ? t('invitations.by', { role: t(`users:role.${role}`), name: invitedBy, day })
            : t('invitations.since', { role: t(`users:role.${role}`), day })}
        </Text>
        <Group gap="sm">
          <Button disabled={busy} onClick={onAccept}>
            {t('invitations.accept')}
          </Button>
          <Button variant="default" disabled={busy} onClick={onDecline}>
            {t('invitations.decline')}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
