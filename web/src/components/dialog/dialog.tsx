import { Text } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from './confirm-dialog';
import { type CloseGuard, DialogContext } from './dialog-context';
import { DialogFrame, type DialogFrameProps } from './dialog-frame';

/**
 * The one dialog of the product. It keeps its words while it fades out, starts with fresh state each time it is opened,
 * and gives the focus back to the control that opened it, also when that was an entry of a menu. A form inside that holds
 * something unsaved has a say before it closes. Not the kit's modals manager: what is open stands in the address or belongs
 * to the part that opens it, and is drawn with its state.
 */
export function Dialog<Subject>({ onClose, children, ...props }: DialogFrameProps<Subject>) {
  const { t } = useTranslation();
  const { handle, isHeld, question, answer } = useGuardedClose(onClose);
  const within = (part: ReactNode) => <DialogContext value={handle}>{part}</DialogContext>;
  return (
    <>
      <DialogFrame {...props} isHeld={isHeld} onClose={handle.requestClose}>
        {typeof children === 'function' ? (subject) => within(children(subject)) : within(children)}
      </DialogFrame>
      <ConfirmDialog
        danger
        subject={question}
        title={({ text }) => t(text ? 'discard.leaveTitle' : 'discard.title')}
        confirmLabel={({ text }) => t(text ? 'discard.leave' : 'discard.confirm')}
        cancelLabel={({ text }) => t(text ? 'action.stay' : 'discard.cancel')}
        onConfirm={() => answer(true)}
        onCancel={() => answer(false)}
      >
        {({ text }) => <Text>{text ?? t('discard.text')}</Text>}
      </ConfirmDialog>
    </>
  );
}

/** Closing that asks the parts inside first: one may keep the dialog open, or have the user asked. */
function useGuardedClose(onClose: () => void) {
  const [question, setQuestion] = useState<{ text: string | undefined } | null>(null);
  const guards = useRef(new Set<CloseGuard>());
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  const isHeld = () => [...guards.current].some((guard) => guard.ask() !== 'close');
  const handle = useMemo(
    () => ({
      requestClose: () => {
        const answers = [...guards.current].map((guard) => ({ answer: guard.ask(), text: guard.text?.() }));
        if (answers.some(({ answer }) => answer === 'stay')) return;
        const asking = answers.filter(({ answer }) => answer === 'ask');
        if (asking.length > 0) setQuestion({ text: asking.find(({ text }) => text !== undefined)?.text });
        else close.current();
      },
      dropQuestion: () => setQuestion(null),
      addGuard: (guard: CloseGuard) => {
        guards.current.add(guard);
        return () => {
          guards.current.delete(guard);
        };
      },
    }),
    [],
  );
  const answer = (isDiscarded: boolean) => {
    setQuestion(null);
    if (!isDiscarded) return;
    for (const guard of guards.current) guard.release?.();
    close.current();
  };
  return { handle, isHeld, question, answer };
}
