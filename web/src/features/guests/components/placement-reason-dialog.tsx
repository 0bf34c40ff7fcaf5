import { Text, Textarea } from '@mantine/core';
import * as z from 'zod/mini';
import { useTranslation } from 'react-i18next';
import { Dialog } from '@/components/dialog/dialog';
import { FormFrame } from '@/components/form/form-frame';
import { useSaveForm } from '@/components/form/use-save-form';
import { textKeys } from '@/i18n/text-key';
import type { PlacementQuestion } from '../api/placement-reasons';
import { fullName } from '../ui/guest-facts.utils';

const reasonSchema = z.object({
  reason: z.string().check(z.trim(), z.minLength(1, textKeys('guests')('override.required'))),
});

/** The longest reason that the server takes, in characters. */
const MAX_REASON = 200;

/** Asks why a guest is placed against the rules of the site or the house (docs/decisions/0068). */
export function PlacementReasonDialog({ subject }: { subject: PlacementQuestion | null }) {
  const { t } = useTranslation('guests');
  return (
    <Dialog
      subject={subject}
      title={({ guest }) => t('override.title', { guest: fullName(guest) })}
      width={350}
      onClose={() => subject?.answer(null)}
    >
      {(question) => <ReasonForm key={question.number} question={question} />}
    </Dialog>
  );
}

function ReasonForm({ question }: { question: PlacementQuestion }) {
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
      <Text>{t('override.text')}</Text>
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
