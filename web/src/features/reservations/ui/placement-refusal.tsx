import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { PaymentRequiredError } from '@/api/errors';
import { useErrorText } from '@/components/use-error-text';
import { useChangedBy } from '@/features/guests/ui/use-changed-by';

interface PlacementRefusalProps {
  error: Error | null;
  guest: Schemas['Guest'];
  site: Pick<Schemas['SiteDetails'], 'timeZone'>;
  /** The bed that was refused, where the screen is about one bed. */
  bedName?: string;
  title?: string;
}

/** Why a guest did not get the bed, in a panel. Where a subscription is missing, the way to the page that says what to do. */
export function PlacementRefusal({ error, guest, site, bedName, title }: PlacementRefusalProps) {
  const { t } = useTranslation('reservations');
  const errorText = useErrorText();
  const changedBy = useChangedBy();
  if (!error) return null;
  return (
    <Alert color="red" role="alert" icon={<CircleAlert size={20} aria-hidden />} title={title}>
      <Text size="sm">{[errorText(error), changedBy(error, site.timeZone, bedName)].filter(Boolean).join(' ')}</Text>
      {error instanceof PaymentRequiredError ? (
        <Anchor
          underline="always"
          size="sm"
          data-touch
          renderRoot={(props) => <Link to="/reservations-request/$guestId" params={{ guestId: guest.id }} {...props} />}
        >
          {t('request.payment.whatToDo')}
        </Anchor>
      ) : null}
    </Alert>
  );
}
