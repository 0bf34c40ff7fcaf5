import { Alert, Button, Stack, Text } from '@mantine/core';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { ArrowLeft, Hourglass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import './waiting-reservation.utils';

interface WaitingReservationProps {
  /** Id of the guest whose reservation waits for a card or a payment. */
  guestId: string;
  /** What to do here before going back. */
  text: string;
}

/** Says that a reservation waits for what is done on this screen, and leads back to it. */
export function WaitingReservation({ guestId, text }: WaitingReservationProps) {
  const { t } = useTranslation('cards');
  const goBack = useReturnToReservation();
  return (
    <Alert
      role="note"
      mb="md"
      maw={720}
      icon={<Hourglass size={20} aria-hidden />}
      title={t('waiting.title')}
      styles={{ title: { color: 'var(--mantine-color-text)' }, message: { color: 'var(--mantine-color-text)' } }}
    >
      <Stack gap="xs" align="flex-start">
        <Text>{text}</Text>
        <Button variant="default" leftSection={<ArrowLeft size={16} aria-hidden />} onClick={() => goBack(guestId)}>
          {t('waiting.back')}
        </Button>
      </Stack>
    </Alert>
  );
}

/**
 * Returns a function that goes back to the page of a reservation. It adds no entry to the browser's history, so that the
 * page still knows which screen it was opened from.
 */
export function useReturnToReservation(): (guestId: string) => void {
  const router = useRouter();
  const navigate = useNavigate();
  const isBefore = useLocation({ select: ({ state }) => state.isAfterReservation === true });
  return (guestId) => {
    if (isBefore) router.history.back();
    else void navigate({ to: '/reservations-request/$guestId', params: { guestId }, replace: true });
  };
}
