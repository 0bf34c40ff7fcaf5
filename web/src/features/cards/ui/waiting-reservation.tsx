import { Alert, Button, Stack, Text } from '@mantine/core';
import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Hourglass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { fromReservation } from './waiting-reservation.utils';

interface WaitingProps {
  title: string;
  /** What to do here before going back. */
  text: string;
  /** Words of the way back. */
  back: string;
  onBack: () => void;
}

/** Says what waits for what is done on this screen, and leads back to it. */
function Waiting({ title, text, back, onBack }: WaitingProps) {
  return (
    <Alert
      role="note"
      mb="md"
      maw={720}
      icon={<Hourglass size={20} aria-hidden />}
      title={title}
      styles={{ title: { color: 'var(--mantine-color-text)' }, message: { color: 'var(--mantine-color-text)' } }}
    >
      <Stack gap="xs" align="flex-start">
        <Text>{text}</Text>
        <Button variant="default" leftSection={<ArrowLeft size={16} aria-hidden />} onClick={onBack}>
          {back}
        </Button>
      </Stack>
    </Alert>
  );
}

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
  return <Waiting title={t('waiting.title')} text={text} back={t('waiting.back')} onBack={() => goBack(guestId)} />;
}

interface WaitingPlanProps {
  organizationId: string;
  /** Id of the site whose subscription was about to be started on Billing. */
  siteId: string;
}

/** Says that the choice of a plan waits for a card, and leads back to it. */
export function WaitingPlan({ organizationId, siteId }: WaitingPlanProps) {
  const { t } = useTranslation('cards');
  const goBack = useReturnToPlan(organizationId);
  return (
    <Waiting
      title={t('waiting.planTitle')}
      text={t('waiting.plan')}
      back={t('waiting.backToPlan')}
      onBack={() => goBack(siteId)}
    />
  );
}

/** Returns a function that goes back to the plans of a site on Billing; a reservation that waits as well goes along. */
export function useReturnToPlan(organizationId: string): (siteId: string) => void {
  const navigate = useNavigate();
  const { reservation } = useSearch({ strict: false });
  return (subscribe) =>
    void navigate({
      to: '/payment-details/$organizationId',
      params: { organizationId },
      search: { reservation, subscribe },
      replace: true,
    });
}

/** Returns the props of a link to Credit cards from the plans of a site: what leads back to where they were opened. */
export function useWayToCards({ siteId, reservationId }: { siteId: string; reservationId?: string | undefined }) {
  const { reservation } = useSearch({ strict: false });
  return reservationId === undefined ? { search: { reservation, subscribe: siteId } } : fromReservation(reservationId);
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
