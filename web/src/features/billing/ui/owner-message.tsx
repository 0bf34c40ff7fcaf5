import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Mail } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '@/components/use-error-text';
import { useNow } from '@/components/use-now';
import { formatList } from '@/lib/format';
import { formatMoment } from '@/lib/time';
import { ownerMessageQuery, useSendOwnerMessage } from '../api/owner-message';

interface OwnerMessageProps {
  guestId: string;
  /** Of the site. */
  timeZone: string;
}

/** Milliseconds for which the server sends no second message about the same reservation. */
const REPEAT_MILLISECONDS = 15 * 60_000;

/** Names the owners who can start the subscription, and asks them by email. */
export function OwnerMessage({ guestId, timeZone }: OwnerMessageProps) {
  const { t, i18n } = useTranslation('reservations');
  const errorText = useErrorText();
  const now = useNow(1000);
  const { data } = useQuery(ownerMessageQuery(guestId));
  const { mutate, isPending, error } = useSendOwnerMessage(guestId);
  const status = useRef<HTMLDivElement>(null);
  // The button is gone then.
  const handleSend = () => mutate(undefined, { onSuccess: () => status.current?.focus() });
  const sentAt = data?.sentAt ?? null;
  const wasSentNow = sentAt !== null && now - Date.parse(sentAt) < REPEAT_MILLISECONDS;
  return (
    <Stack gap="xs" align="flex-start">
      {data && data.owners.length > 0 ? (
        <Text>
          {t('request.payment.owners', {
            count: data.owners.length,
            names: formatList(data.owners, i18n.language),
          })}
        </Text>
      ) : null}
      {wasSentNow ? null : (
        <Button leftSection={<Mail size={18} aria-hidden />} loading={isPending} onClick={handleSend}>
          {sentAt ? t('request.payment.sendAgain') : t('request.payment.send')}
        </Button>
      )}
      <div ref={status} role="status" tabIndex={-1}>
        {sentAt ? (
          <Group gap={6} wrap="nowrap">
            <CircleCheck size={16} aria-hidden />
            <Text>{t('request.payment.sent', { time: formatMoment(sentAt, i18n.language, now, timeZone) })}</Text>
          </Group>
        ) : null}
      </div>
      {error ? <Text role="alert">{errorText(error)}</Text> : null}
    </Stack>
  );
}
