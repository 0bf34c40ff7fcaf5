import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { shownStatus } from '@/features/guests/ui/guest-facts.utils';
import { EmptyState } from '@/components/empty-state';
import { useChangedBy } from '@/features/guests/ui/use-changed-by';

interface RequestEndedProps {
  guest: Schemas['Guest'];
  site: Schemas['SiteDetails'];
  /** The refusal of the own attempt, which may name who was faster. */
  error?: Error | null;
}

/** A reservation that was declined, expired or discharged gets no bed any more. */
export function RequestEnded({ guest, site, error }: RequestEndedProps) {
  const { t } = useTranslation(['reservations', 'guests']);
  const changedBy = useChangedBy();
  return (
    <EmptyState
      title={t('request.ended')}
      hint={[
        t('request.endedHint', { status: t(`guests:status.${shownStatus(guest)}`) }),
        changedBy(error, site.timeZone),
      ]
        .filter(Boolean)
        .join(' ')}
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
