import { Alert, Button, Group } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Problem } from '../problem.utils';
import type { GuestShort, Place } from '../types';
import type { BoardTexts } from '../use-board-texts';

interface ProblemPanelProps {
  readonly problem: Problem;
  readonly texts: BoardTexts;
  readonly onTakeOffer: (guest: GuestShort, to: Place) => void;
  readonly onDismiss: () => void;
}

/** What went wrong, how things now stand, and the next free bed one press away. Stays until something else is done. */
export function ProblemPanel({ problem, texts, onTakeOffer, onDismiss }: ProblemPanelProps) {
  const { t } = useTranslation('board');
  const { guest, reason, offer } = problem;
  if (problem.key === 'refused') {
    // Nothing failed, and the board goes on behind it: few words, in a small space.
    return (
      <Alert color="yellow" p="xs" withCloseButton closeButtonLabel={t('problem.dismiss')} onClose={onDismiss}>
        <p>
          <strong>{texts.problem(problem)}</strong> {texts.reason(problem)}
        </p>
      </Alert>
    );
  }
  return (
    <Alert
      color="red"
      variant="light"
      icon={<CircleAlert size={18} aria-hidden />}
      title={texts.problem(problem)}
      withCloseButton
      closeButtonLabel={t('problem.dismiss')}
      onClose={onDismiss}
    >
      {reason && <p>{texts.reason(problem)}</p>}
      {offer && (
        <Group mt="xs">
          <Button size="compact-md" onClick={() => onTakeOffer(guest, offer)}>
            {t('problem.offer', { guest: guest.displayName, bed: offer.bedName, house: offer.houseName })}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
