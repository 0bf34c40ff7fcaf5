import { Alert, Button, Stack, Text } from '@mantine/core';
import { CircleAlert, Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { fullName } from './guest-facts.utils';
import { useErrorText } from '@/components/use-error-text';
import { useNow } from '@/components/use-now';
import { useOpenCommand } from '../api/open-commands';
import { useUndoDecision } from '../api/use-undo-decision';
import { CommandWait } from './command-wait';
import { undoableUntil } from './undo-decision.utils';
import { useChangedBy } from './use-changed-by';

interface UndoDecisionProps {
  guest: Schemas['Guest'];
  site: Schemas['SiteDetails'];
}

/** Takes a decline or a discharge back within 24 hours, for admins and owners; nothing for anybody or anything else. */
export function UndoDecision({ guest, site }: UndoDecisionProps) {
  const canUndo = useCan('guest.undo', { site });
  const until = undoableUntil(guest);
  const now = useNow(60_000);
  return canUndo && until !== null && now < until ? <UndoButton guest={guest} site={site} /> : null;
}

function UndoButton({ guest, site }: UndoDecisionProps) {
  const { t } = useTranslation('guests');
  const errorText = useErrorText();
  const changedBy = useChangedBy();
  const { undo, update } = useUndoDecision({ showsErrors: true });
  const open = useOpenCommand(guest.id);
  const kind = guest.status === 'rejected' ? 'decline' : guest.noShowAt === null ? 'discharge' : 'noShow';
  return (
    <Stack gap="sm" align="flex-start">
      <Button
        variant="default"
        leftSection={<Undo2 size={18} aria-hidden />}
        loading={open !== undefined && open.state === 'sending'}
        disabled={open !== undefined}
        onClick={() => void undo(guest, fullName(guest))}
      >
        {t(`undo.${kind}`)}
      </Button>
      <Text size="sm" c="dimmed">
        {t(`undo.${kind}Hint`)}
      </Text>
      <CommandWait state={open?.state} />
      {update.error ? (
        <Alert role="alert" color="red" icon={<CircleAlert size={20} aria-hidden />} w="100%">
          {[errorText(update.error), changedBy(update.error, site.timeZone)].filter(Boolean).join(' ')}
        </Alert>
      ) : null}
    </Stack>
  );
}
