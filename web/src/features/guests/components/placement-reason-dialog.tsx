import { Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import * as z from 'zod/mini';
import { useTranslation } from 'react-i18next';
import { Dialog } from '@/components/dialog/dialog';
import { FormFrame } from '@/components/form/form-frame';
import { useSaveForm } from '@/components/form/use-save-form';
import { textKeys } from '@/i18n/text-key';
import { useMeantFor } from '@/features/houses/ui/use-meant-for';
import type { PlacedBed } from '@/features/houses/ui/beds.utils';
import { siteQuery } from '@/features/sites/api/site-query';
import { guestsQuery } from '../api/guests-query';
import type { PlacementQuestion } from '../api/placement-reasons';
import { type PlacementFacts, placementFacts } from '../placement-conflict.utils';
import { fullName } from '../ui/guest-facts.utils';

const reasonSchema = z.object({
  reason: z.string().check(z.trim(), z.minLength(1, textKeys('guests')('override.required'))),
});

/** The longest reason that the server takes, in characters. */
const MAX_REASON = 200;

/** Asks why a guest is placed against the rules of the site or the house (docs/decisions/0068). */
export function PlacementReasonDialog({ subject }: { subject: PlacementQuestion | null }) {
  const { t } = useTranslation('guests');
  const queryClient = useQueryClient();
  // As it was when the question came up: nothing is loaded for it, and what others do does not change its words.
  const asked = useMemo(() => {
    if (!subject) return null;
    const { siteId } = subject.update;
    const site = queryClient.getQueryData(siteQuery(siteId).queryKey);
    return { ...subject, ...placementFacts(subject, site, queryClient.getQueryData(guestsQuery(siteId).queryKey)) };
  }, [subject, queryClient]);
  return (
    <Dialog
      subject={asked}
      title={({ guest, other }) =>
        other
          ? t('override.titleSwap', { guest: fullName(guest), other: fullName(other) })
          : t('override.title', { guest: fullName(guest) })
      }
      width={350}
      onClose={() => subject?.answer(null)}
    >
      {(question) => <ReasonForm key={question.number} question={question} />}
    </Dialog>
  );
}

/** What does not fit: of each guest the bed with its house, as far as it is known. */
function Conflicts({ at, other, conflicts }: PlacementFacts) {
  const { t } = useTranslation('guests');
  const listOf = useMeantFor();
  const placeOf = ({ room, bed }: PlacedBed) => t('place', { room: room.name, bed: bed.name });
  if (conflicts.length === 0)
    return <Text>{at ? t('override.textOf', { place: placeOf(at) }) : t('override.text')}</Text>;
  return conflicts.map(({ guest, misfits, ...conflict }) => {
    const values = { place: placeOf(conflict.at), guest: fullName(guest), list: listOf(misfits) };
    return <Text key={guest.id}>{other ? t('override.misfitOf', values) : t('override.misfit', values)}</Text>;
  });
}

function ReasonForm({ question }: { question: PlacementQuestion & PlacementFacts }) {
  const { t } = useTranslation('guests');
  const form = useSaveForm({
    schema: reasonSchema,
    labels: { reason: t('override.reason') },
    values: { reason: '' },
    save: async ({ reason }) => reason,
    onDone: (reason) => question.answer(reason),
  });
  return (
    <FormFrame form={form} submitLabel={t('override.confirm')}>
      <Conflicts {...question} />
      <Textarea
        {...form.field('reason')}
        description={t('override.hint')}
        maxLength={MAX_REASON}
        required
        autosize
        minRows={2}
        maxRows={5}
        data-autofocus
      />
    </FormFrame>
  );
}
