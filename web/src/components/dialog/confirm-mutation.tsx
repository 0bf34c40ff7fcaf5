import { Stack, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isOutcomeUnknown, NotFoundError, UnauthorizedError } from '@/api/errors';
import { noteRefused } from '@/lib/session-end';
import { useUnsavedGuard } from '../form/use-unsaved-guard';
import { toast } from '../toast';
import { useErrorText } from '../use-error-text';
import { type Choice, ChoiceField } from './choice-field';
import { ConfirmAnswers, type ConfirmDialogProps, labelFor } from './confirm-dialog';
import { Dialog } from './dialog';
import { useCloseGuard, useRequestClose } from './dialog-context';

const WORD = 'DELETE';

interface ConfirmMutationProps<Subject, Result> extends Pick<
  ConfirmDialogProps<Subject>,
  'subject' | 'title' | 'children' | 'confirmLabel' | 'cancelLabel' | 'danger' | 'way'
> {
  /**
   * Sends the answer, with the note and the choice if they are asked for. It resolves to false when the user has given up on
   * the way; the question then stays.
   */
  run: (subject: Subject, note: string, choice: string | undefined) => Promise<Result>;
  /** The message after it. */
  done?: (subject: Subject) => string;
  /** What the message is about: a newer one about the same thing takes its place. */
  about?: (subject: Subject) => string;
  /** Takes it back, from a button in the message. */
  undo?: (subject: Subject, result: Result) => () => unknown;
  /** After it; `onClose` unless the screen goes with the subject. */
  onDone?: (subject: Subject) => void;
  onClose: () => void;
  /** The outcome may take long to be known: the question may be left, and a message tells it then. */
  isWaiting?: boolean;
  /**
   * The subject is gone afterwards. If the answer to the first try was lost, "not found" as the answer to the second
   * means that the first one worked.
   */
  removes?: boolean;
  /** DELETE must be typed exactly before the button works (spec A section 9). */
  needsWord?: boolean | ((subject: Subject) => boolean);
  /** A text that may go with the answer; it is required if `missing` says what is shown without it. */
  note?: { label: string; description: string; maxLength: number; missing?: string };
  /** One of several values that may go with the answer. */
  choice?: Choice;
  /** The focus starts on the answer that changes nothing. Dangerous questions do so by themselves. */
  startsOnCancel?: boolean;
  /** What stands in the question after a refusal; the sentence for the error unless given. */
  refusalText?: (error: unknown) => string;
}

/** Asks, runs, and tells what came of it: a refusal stays in the question, success is a message. */
export function ConfirmMutation<Subject, Result>(props: ConfirmMutationProps<Subject, Result>) {
  const { subject, title, onClose } = props;
  return (
    <Dialog subject={subject} title={title} width={350} onClose={onClose}>
      {(of) => <Question {...props} of={of} />}
    </Dialog>
  );
}

/** The state of one opening. */
function Question<Subject, Result>(props: ConfirmMutationProps<Subject, Result> & { of: Subject }) {
  const { of, children, confirmLabel, danger, cancelLabel, needsWord, note, choice, isWaiting = false } = props;
  const { t } = useTranslation();
  const cancel = useRequestClose() ?? props.onClose;
  const [word, setWord] = useState('');
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState('');
  const noteField = useRef<HTMLTextAreaElement>(null);
  const [isNoteWanted, setNoteWanted] = useState(false);
  const { box, confirm, isRunning, refusal, leaveQuestion } = useConfirmation(props, text.trim(), chosen);
  const isNoteMissing = note?.missing !== undefined && text.trim() === '';
  const handleConfirm = () => {
    setNoteWanted(isNoteMissing);
    if (isNoteMissing) noteField.current?.focus();
    else void confirm();
  };
  const hasWord = typeof needsWord === 'function' ? needsWord(of) : needsWord;
  const isWordMissing = hasWord === true && word !== WORD;
  return (
    <Stack gap="md" ref={box}>
      {typeof children === 'function' ? children(of) : children}
      {hasWord ? (
        <TextInput
          label={t('typeDelete')}
          autoComplete="off"
          value={word}
          onChange={(event) => setWord(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !isWordMissing) handleConfirm();
          }}
        />
      ) : null}
      {choice ? <ChoiceField choice={choice} value={chosen} onChange={setChosen} disabled={isRunning} /> : null}
      {note ? (
        <Textarea
          ref={noteField}
          label={note.label}
          description={note.description}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          maxLength={note.maxLength}
          disabled={isRunning}
          required={note.missing !== undefined}
          error={isNoteWanted && isNoteMissing ? note.missing : undefined}
          data-autofocus={note.missing === undefined ? undefined : true}
          autosize
          minRows={2}
          maxRows={6}
        />
      ) : null}
      <ConfirmAnswers
        danger={danger}
        startsOnCancel={props.startsOnCancel}
        cancelLabel={isWaiting ? t('action.close') : labelFor(of, cancelLabel)}
        confirmLabel={labelFor(of, confirmLabel)}
        confirmDisabled={isWordMissing || isWaiting}
        way={props.way}
        busy={isRunning && !isWaiting}
        error={refusal}
        onConfirm={handleConfirm}
        onCancel={cancel}
      />
      {leaveQuestion}
    </Stack>
  );
}

function useConfirmation<Subject, Result>(
  props: ConfirmMutationProps<Subject, Result> & { of: Subject },
  note: string,
  choice: string,
) {
  const { of, run, done, about, undo, onClose, onDone = onClose, isWaiting = false, removes = false } = props;
  const { t } = useTranslation();
  const errorText = useErrorText();
  const refusalText = props.refusalText ?? errorText;
  const [isRunning, setRunning] = useState(false);
  const [refusal, setRefusal] = useState<ReactNode>(null);
  const isBusy = useRef(false);
  const wasLost = useRef(false);
  /** Closed by the user before the outcome was known: only messages can tell it. */
  const wasLeft = useRef(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The dangerous answer that was pressed is off now: the other one closes the question.
    if (isWaiting) box.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, [isWaiting]);
  useCloseGuard({
    ask: () => {
      if (isBusy.current && !isWaiting) return 'stay';
      wasLeft.current = isBusy.current;
      return 'close';
    },
  });
  // What was typed or chosen is not lost by a key that was hit by mistake, nor by a reload.
  const { question: leaveQuestion, isLost } = useUnsavedGuard((note !== '' || choice !== '') && !isRunning);

  const setBusy = (busy: boolean) => {
    isBusy.current = busy;
    setRunning(busy);
  };
  const attempt = async (): Promise<{ result?: Result } | false> => {
    try {
      const result = await run(of, note, choice || undefined);
      return result === false ? false : { result };
    } catch (error) {
      if (error instanceof UnauthorizedError) noteRefused('change', wasLost.current);
      if (removes && wasLost.current && error instanceof NotFoundError) return {};
      wasLost.current ||= isOutcomeUnknown(error);
      throw error;
    }
  };
  const confirm = async () => {
    if (isBusy.current) return;
    setBusy(true);
    setRefusal(null);
    try {
      const outcome = await attempt();
      if (outcome === false) {
        setBusy(false);
        return;
      }
      const { result } = outcome;
      const back = undo && result !== undefined ? { undo: { onUndo: undo(of, result) } } : {};
      if (done) toast.success(done(of), { ...back, about: about?.(of) });
      // Still busy while the question fades out: a second press does nothing.
      if (!wasLeft.current) onDone(of);
    } catch (error) {
      setBusy(false);
      setRefusal(refusalText(error));
      const isRefused = isLost.current && !isOutcomeUnknown(error);
      if (wasLeft.current || isRefused) toast.error(isRefused ? t('leavePage.siteLost') : refusalText(error));
    }
  };
  return { box, confirm, isRunning, refusal, leaveQuestion };
}
