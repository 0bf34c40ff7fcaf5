import { Alert, Button, Stack, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { foreignLanguage } from '@/api/problem-words';
import { ConflictError, PaymentRequiredError } from '@/api/errors';
import { fullName } from '@/features/guests/ui/guest-facts.utils';
import { useErrorText } from '@/components/use-error-text';
import { isAgainstRules } from '@/features/guests/api/placement-reasons';
import { isBedTaken, useChangedBy } from '@/features/guests/ui/use-changed-by';
import type { PlacedBed } from '@/features/houses/ui/beds.utils';
import classes from './request.module.css';
import { SubscriptionNeeded } from './subscription-needed';
import type { BedOffer } from '../proposal.utils';

interface RefusalAlertProps {
  error: Error | null;
  /** The chosen bed that was lost while the page was open. */
  lost: PlacedBed | undefined;
  /** The name of the bed that the server refused. */
  refusedBed: string | undefined;
  offer: BedOffer | undefined;
  guest: Schemas['Guest'];
  site: Schemas['SiteDetails'];
  supportPhone: string | null;
  onChoose: (bedId: string) => void;
}

/** Explains why a guest did not get the bed: how things stand now, and the next free bed to take instead. */
export function RefusalAlert({
  error,
  lost,
  refusedBed,
  offer,
  guest,
  site,
  supportPhone,
  onChoose,
}: RefusalAlertProps) {
  const { t } = useTranslation(['reservations', 'guests']);
  const errorText = useErrorText();
  const changedBy = useChangedBy();
  if (error instanceof PaymentRequiredError) {
    return <SubscriptionNeeded guest={guest} site={site} supportPhone={supportPhone} />;
  }
  if (!error && !lost) return null;
  const sentence = error
    ? errorText(error)
    : lost &&
      t(`request.lost.${reasonOf(lost)}`, { place: t('guests:place', { room: lost.room.name, bed: lost.bed.name }) });
  const by = changedBy(error, site.timeZone, refusedBed);
  const fresh = error instanceof ConflictError ? error.problem.guest : undefined;
  const isWaiting = isBedTaken(error) && fresh?.status === 'pending';
  return (
    <Alert color="red" role="alert" icon={<CircleAlert size={20} aria-hidden />}>
      <Stack gap="xs" align="flex-start">
        <Text lang={foreignLanguage(sentence)}>{sentence}</Text>
        {fresh && !isBedTaken(error) && !isAgainstRules(error) ? (
          <Text>{t('request.nowIs', { status: t(`guests:status.${fresh.status}`) })}</Text>
        ) : null}
        {by || isWaiting ? (
          <Text>
            {[by, isWaiting && t('request.stillWaits', { guest: fullName(guest) })].filter(Boolean).join(' ')}
          </Text>
        ) : null}
        {offer ? (
          <Button
            variant="default"
            classNames={{ root: classes.offer, label: classes.offerText }}
            onClick={() => onChoose(offer.bedId)}
          >
            {t('request.offer', { place: t('guests:place', { room: offer.roomName, bed: offer.bedName }) })}
          </Button>
        ) : null}
      </Stack>
    </Alert>
  );
}

/** Why a bed cannot be had any more. */
function reasonOf({ bed }: PlacedBed): 'taken' | 'disabled' | 'offered' {
  if (bed.guest) return 'taken';
  return bed.disabled ? 'disabled' : 'offered';
}
