import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { EmptyState } from '@/components/empty-state';

/** A reservation that was declined, expired or discharged gets no bed any more. */
export function RequestEnded({ guest }: { guest: Schemas['Guest'] }) {
  const { t } = useTranslation(['reservations', 'guests']);
  return (
    <EmptyState
      title={t('request.ended')}
      hint={t('request.endedHint', { status: t(`guests:status.${guest.status}`) })}
      action={
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              to="/reservations/guest/$siteId/$guestId"
              params={{ siteId: guest.siteId, guestId: guest.id }}
              {...props}
            />
          )}
        >
          {t('request.seeGuest')}
        </Button>
      }
    />
  );
}
