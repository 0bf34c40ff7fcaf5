import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CreditCard } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useUser } from '@/access/use-user';
import { HoldLeft } from '@/features/guests/ui/hold-left';
import { siteStatusQuery } from '@/features/billing/api/site-status';
import { OwnerMessage } from '@/features/billing/ui/owner-message';
import { SubscriptionSteps } from '@/features/billing/ui/subscription-steps';
import { cardsQuery } from '@/features/cards/api/cards-query';
import { formatPhone } from '@/lib/phone';

interface SubscriptionNeededProps {
  guest: Schemas['Guest'];
  site: Schemas['SiteDetails'];
  supportPhone: string | null;
}

/** What an owner is told whose next step is not to start a subscription. */
const OWNER_TEXTS: Partial<Record<Schemas['SubscriptionStatus'], 'ownerRestart' | 'ownerUnpaid'>> = {
  incomplete: 'ownerRestart',
  incomplete_expired: 'ownerRestart',
  past_due: 'ownerRestart',
  unpaid: 'ownerUnpaid',
};

/** Explains that accepting needs a subscription: why, the owner's next step, how long the reservation waits (spec B section 4). */
export function SubscriptionNeeded({ guest, site, supportPhone }: SubscriptionNeededProps) {
  const { t } = useTranslation('reservations');
  const user = useUser();
  const names = { site: site.name, organization: site.organizationName };
  const { data: subscription } = useQuery(siteStatusQuery(site.id));
  const isOwner = user.ownerOrganizationIds.has(site.organizationId);
  const { data: cards } = useQuery({ ...cardsQuery(site.organizationId), enabled: isOwner });
  const ownerText = cards?.length === 0 ? 'ownerNoCard' : (OWNER_TEXTS[subscription?.status ?? 'none'] ?? 'owner');
  return (
    <Alert
      color="yellow"
      role="alert"
      icon={<CreditCard size={20} aria-hidden />}
      title={t('request.payment.title')}
      styles={{
        title: { color: 'var(--mantine-color-text)' },
        // Dimmed text is too faint on this ground.
        message: { color: 'var(--mantine-color-text)', '--mantine-color-dimmed': 'var(--mantine-color-text)' },
      }}
    >
      <Stack gap="xs" align="flex-start">
        <Text>{t('request.payment.why', names)}</Text>
        <Text>
          {isOwner
            ? t(`request.payment.${ownerText}`, names)
            : user.isGlobal
              ? t('request.payment.global', names)
              : t('request.payment.askOwner', names)}
        </Text>
        {guest.expiresAt ? (
          <Text>
            {t('request.payment.hold')}: <HoldLeft expiresAt={guest.expiresAt} />
          </Text>
        ) : null}
        {isOwner ? (
          <SubscriptionSteps
            site={{
              siteId: site.id,
              siteName: site.name,
              organizationId: site.organizationId,
              reservationId: guest.id,
            }}
          />
        ) : (
          <OwnerMessage guestId={guest.id} timeZone={site.timeZone} />
        )}
        {supportPhone ? (
          <Text>
            {t('request.payment.support')}{' '}
            <Anchor underline="always" href={`tel:${supportPhone}`} className="tabular">
              {formatPhone(supportPhone) || supportPhone}
            </Anchor>
          </Text>
        ) : null}
      </Stack>
    </Alert>
  );
}
