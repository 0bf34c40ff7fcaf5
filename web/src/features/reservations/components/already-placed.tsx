import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { EmptyState } from '@/components/empty-state';
import { fullName } from '@/features/guests/ui/guest-facts.utils';
import { useChangedBy } from '@/features/guests/ui/use-changed-by';
import { usePlacedText } from '@/features/guests/ui/use-placed-text';

interface AlreadyPlacedProps {
  guest: Schemas['Guest'];
  site: Schemas['SiteDetails'];
  /** The refusal of the own attempt, which may name who was faster. */
  error: Error | null;
  /** The user wants to move the guest all the same. */
  onMove: () => void;
}

/** Somebody else gave the guest a bed while this page was open. Moving the guest away again takes a press of its own. */
export function AlreadyPlaced({ guest, site, error, onMove }: AlreadyPlacedProps) {
  const { t } = useTranslation('reservations');
  const changedBy = useChangedBy();
  const placedText = usePlacedText();
  return (
    <div role="alert">
      <EmptyState
        title={t('request.alreadyPlaced', { guest: fullName(guest) })}
        hint={[placedText(guest), changedBy(error, site.timeZone)].filter(Boolean).join(' ')}
        action={
          <Group gap="sm" justify="center">
            <Button
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
            <Button variant="default" onClick={onMove}>
              {t('request.moveAnyway')}
            </Button>
          </Group>
        }
      />
    </div>
  );
}
