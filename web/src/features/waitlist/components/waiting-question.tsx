import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConflictError } from '@/api/errors';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { useErrorText } from '@/components/use-error-text';
import { useOpenChange } from '@/features/guests/api/open-commands';
import { CommandWait } from '@/features/guests/ui/command-wait';
import { fullName } from '@/features/guests/ui/guest-facts.utils';
import { aboutWaiting, useChangeWaiting } from '../api/waitlist-commands';
import type { WaitAction } from './waiting-person';

/** A question about a person that is open. */
export interface Asked {
  action: Exclude<WaitAction, 'take' | 'edit'>;
  person: Schemas['WaitingGuest'];
}

const COMMANDS = { decline: 'DECLINE', leave: 'LEAVE', prioritize: 'PRIORITIZE', unprioritize: 'PRIORITIZE' } as const;
const REASON_CHARACTERS = 200;

interface WaitingQuestionProps {
  asked: Asked | null;
  siteId: string;
  onClose: () => void;
}

/**
 * Asks before a person loses an offer or the place, and for the reason of a priority. While the outcome is not known it says
 * so and may be closed; the outcome is then told by a message.
 */
export function WaitingQuestion({ asked, siteId, onClose }: WaitingQuestionProps) {
  const { t } = useTranslation('reservations', { keyPrefix: 'waitlist.ask' });
  const errorText = useErrorText();
  const { mutateAsync } = useChangeWaiting(siteId);
  const open = useOpenChange(asked ? aboutWaiting(asked.person.id) : undefined);
  return (
    <ConfirmMutation
      subject={asked}
      title={asked ? t(`${asked.action}.title`) : ''}
      confirmLabel={asked ? t(`${asked.action}.confirm`) : ''}
      danger={asked?.action === 'leave'}
      note={useReasonField(asked)}
      run={({ person, action }: Asked, reason: string) =>
        mutateAsync({ person, command: COMMANDS[action], reason: reason === '' ? null : reason })
      }
      isWaiting={open !== undefined && open.state !== 'sending'}
      done={({ action, person }) => t(`${action}.done`, { name: fullName(person) })}
      refusalText={(error) =>
        error instanceof ConflictError && error.status === 412 ? t('changed') : errorText(error)
      }
      about={({ person }) => aboutWaiting(person.id)}
      onClose={onClose}
    >
      {({ action, person }) => (
        <>
          <Text>{t(`${action}.text`, { name: fullName(person) })}</Text>
          {action === 'leave' && person.offer ? (
            <Text>{t('leave.offer', { bed: person.offer.bedName, house: person.offer.roomName })}</Text>
          ) : null}
          <CommandWait state={open?.state} />
        </>
      )}
    </ConfirmMutation>
  );
}

/** The field for a reason, where the answer takes one. */
function useReasonField(asked: Asked | null) {
  const { t } = useTranslation('reservations', { keyPrefix: 'waitlist.ask' });
  const maxLength = REASON_CHARACTERS;
  if (asked?.action === 'leave') return { label: t('reasonOptional'), description: t('leaveHint'), maxLength };
  // Without a reason a priority would end.
  if (asked?.action === 'prioritize') {
    return { label: t('reason'), description: t('reasonHint'), missing: t('reasonNeeded'), maxLength };
  }
  return undefined;
}
