import { Button, Group, Stack, Textarea } from '@mantine/core';
import { ArrowLeftRight, BedDouble, LogOut, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Dialog } from '@/components/dialog/dialog';
import { useCloseGuard } from '@/components/dialog/dialog-context';
import { FactList } from '@/components/fact-list';
import { useGuestFacts } from '@/features/guests/ui/use-guest-facts';
import { ReasonTooltip } from '@/components/reason-tooltip';
import { useOpenCommand } from '@/features/guests/api/open-commands';
import { ArrivalButtons } from '@/features/guests/ui/arrival-buttons';
import { CommandWait } from '@/features/guests/ui/command-wait';
import { hasCome } from '@/features/guests/ui/guest-facts.utils';
import { MAX_FEEDBACK } from '@/features/guests/ui/feedback';
import { UndoDecision } from '@/features/guests/ui/undo-decision';
import { isVacant } from '@/features/houses/ui/beds.utils';
import { placementOf } from '@/features/reservations/ui/placement.utils';
import { AssignBed } from './assign-bed';
import { DaysFact } from './days-fact';
import classes from './history.module.css';
import { GuestHeading, GuestPageLink } from '@/features/guests/ui/guest-heading';

/** A decision that was asked for in the panel, with the feedback typed there. */
export interface PanelDecision {
  guest: Schemas['Guest'];
  kind: 'decline' | 'discharge' | 'noShow';
  feedback: string;
}

interface GuestPanelProps {
  subject: Schemas['Guest'] | undefined;
  site: Schemas['SiteDetails'];
  /** Asks whether the guest is really to be declined or discharged. */
  onDecide: (decision: PanelDecision) => void;
  onClose: () => void;
}

/** Everything about a guest who is here, and what can be done, beside the lists (spec B section 2). Not for staff. */
export function GuestPanel({ subject, onClose, ...props }: GuestPanelProps) {
  const { t } = useTranslation('history');
  return (
    <Dialog atSide inAddress subject={subject} title={({ code }) => t('title', { code })} onClose={onClose}>
      {(guest) => <PanelContent guest={guest} {...props} />}
    </Dialog>
  );
}

function PanelContent({ guest, site, onDecide }: Omit<GuestPanelProps, 'subject' | 'onClose'> & GuestOf) {
  const [isChoosing, setChoosing] = useState(false);
  const [feedback, setFeedback] = useState('');
  // Once the decision is made there is nothing to lose.
  const placement = placementOf(guest.status);
  useCloseGuard({ ask: () => (feedback.trim() === '' || placement === 'ended' ? 'close' : 'ask') });
  return (
    <Stack gap="md">
      <GuestHeading guest={guest} />
      {isChoosing && placement !== 'ended' ? (
        <AssignBed
          guest={guest}
          site={site}
          kind={placement}
          onBack={() => setChoosing(false)}
          onPlaced={() => setChoosing(false)}
        />
      ) : (
        <Details
          guest={guest}
          site={site}
          feedback={feedback}
          onFeedback={setFeedback}
          onChoose={() => setChoosing(true)}
          onDecide={onDecide}
        />
      )}
    </Stack>
  );
}

interface GuestOf {
  guest: Schemas['Guest'];
}

interface DetailsProps extends GuestOf, Pick<GuestPanelProps, 'site' | 'onDecide'> {
  feedback: string;
  onFeedback: (feedback: string) => void;
  onChoose: () => void;
}

function Details({ guest, site, feedback, onFeedback, onChoose, onDecide }: DetailsProps) {
  const { t } = useTranslation(['history', 'guests', 'reservations']);
  const facts = useGuestFacts(guest, site);
  const open = useOpenCommand(guest.id);
  const placement = placementOf(guest.status);
  const isPending = placement === 'accept';
  const hasVacantBed = site.rooms.some(({ beds }) => beds.some(isVacant));
  const Icon = isPending ? X : LogOut;
  const decide = (kind: PanelDecision['kind']) => onDecide({ guest, kind, feedback: feedback.trim() });
  return (
    <>
      {guest.room && guest.bed ? (
        <p className={classes.current}>
          {t('reservations:request.currentBed', {
            place: t('guests:place', { room: guest.room.name, bed: guest.bed.name }),
          })}
        </p>
      ) : null}
      <FactList
        facts={[
          facts.code,
          facts.gender,
          facts.phone,
          facts.email,
          facts.location,
          facts.services,
          isPending || !hasCome(guest) ? null : { ...facts.days, value: <DaysFact guest={guest} site={site} /> },
          placement === 'reassign' ? facts.departure : null,
          placement === 'ended' ? facts.reason : null,
          placement === 'ended' ? facts.feedback : null,
        ]}
      />
      <GuestPageLink guest={guest} />
      {placement === 'ended' ? (
        <UndoDecision guest={guest} site={site} />
      ) : (
        <>
          <CommandWait state={open?.state} />
          <Textarea
            label={t('feedback')}
            description={t('guests:decide.feedbackHint')}
            value={feedback}
            onChange={(event) => onFeedback(event.currentTarget.value)}
            maxLength={MAX_FEEDBACK}
            autosize
            minRows={2}
            maxRows={6}
          />
          <Group justify="flex-end" gap="sm">
            {guest.isArriving ? (
              <ArrivalButtons guest={guest} onNoShow={() => decide('noShow')} />
            ) : (
              <Button
                variant="default"
                leftSection={<Icon size={18} aria-hidden />}
                onClick={() => decide(isPending ? 'decline' : 'discharge')}
              >
                {t(isPending ? 'guests:decline' : 'guests:discharge')}
              </Button>
            )}
            <ReasonTooltip reason={hasVacantBed ? null : t('noBedsReason')}>
              <Button
                variant={guest.isArriving ? 'default' : 'filled'}
                leftSection={isPending ? <BedDouble size={18} aria-hidden /> : <ArrowLeftRight size={18} aria-hidden />}
                onClick={onChoose}
              >
                {hasVacantBed ? t(isPending ? 'assign' : 'guests:reassign') : t('noBeds')}
              </Button>
            </ReasonTooltip>
          </Group>
        </>
      )}
    </>
  );
}
