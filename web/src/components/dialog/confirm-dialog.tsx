import { Alert, Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { foreignLanguage } from '@/api/problem-words';
import classes from './confirm-dialog.module.css';
import { DialogFrame, type DialogFrameProps } from './dialog-frame';
import { type Point, usePlaceAt } from './use-place-at';

export interface ConfirmDialogProps<Subject>
  extends
    Pick<DialogFrameProps<Subject>, 'subject' | 'title' | 'children'>,
    Omit<ConfirmAnswersProps, 'confirmLabel' | 'onConfirm' | 'at'> {
  confirmLabel: string | ((subject: Subject) => string);
  onConfirm: (subject: Subject) => void;
  /** Where the finger is that asked: the confirming button comes to lie under it. Null where a pointer or a key asked. */
  at?: (subject: Subject) => Point | null;
  /** Escape, the cross and a click beside it; `onCancel` unless they mean something else. */
  onClose?: () => void;
}

/**
 * Asks a question with two answers. Escape, the cross and a click beside it mean cancel. Use `ConfirmMutation` where the
 * answer is sent to the server.
 */
export function ConfirmDialog<Subject>(props: ConfirmDialogProps<Subject>) {
  const { subject, title, children, confirmLabel, onConfirm, at, onClose = props.onCancel, ...answers } = props;
  return (
    <DialogFrame subject={subject} title={title} width={350} onClose={props.busy ? () => undefined : onClose}>
      {(of) => (
        <Stack gap="md" className={classes.stack}>
          {typeof children === 'function' ? children(of) : children}
          <ConfirmAnswers
            {...answers}
            at={at?.(of)}
            confirmLabel={typeof confirmLabel === 'function' ? confirmLabel(of) : confirmLabel}
            onConfirm={() => onConfirm(of)}
          />
        </Stack>
      )}
    </DialogFrame>
  );
}

interface ConfirmAnswersProps {
  confirmLabel: string;
  cancelLabel?: string;
  /** Dangerous actions get the red button, and the focus starts on the other one. */
  danger?: boolean;
  /** The focus starts on the other button; always so where it is dangerous. */
  startsOnCancel?: boolean | undefined;
  busy?: boolean;
  /** A refusal, shown in place; what was asked stays on the screen. */
  error?: ReactNode;
  confirmDisabled?: boolean;
  /** Lays the confirming button here, and both below one another, as wide as the dialog. */
  at?: Point | null | undefined;
  onConfirm: () => void;
  onCancel: () => void;
}

/** The foot of a question: a refusal, and the two buttons. */
export function ConfirmAnswers(props: ConfirmAnswersProps) {
  const { confirmLabel, cancelLabel, danger = false, busy = false, error, confirmDisabled = false, at = null } = props;
  const { startsOnCancel = danger } = props;
  const { t } = useTranslation();
  const problem = useRef<HTMLDivElement>(null);
  // The button was off while it worked, and what is off cannot keep the focus.
  useEffect(() => {
    if (error && !busy && document.activeElement === document.body) problem.current?.focus();
  }, [error, busy]);
  const confirmRef = useRef<HTMLButtonElement>(null);
  usePlaceAt(confirmRef, at);
  const cancelButton = (
    <Button variant="default" onClick={props.onCancel} disabled={busy} data-autofocus={startsOnCancel || undefined}>
      {cancelLabel ?? t('action.cancel')}
    </Button>
  );
  const confirmButton = (
    <Button
      ref={confirmRef}
      className={classes.answer}
      color={danger ? 'red' : undefined}
      onClick={props.onConfirm}
      loading={busy}
      disabled={confirmDisabled}
      data-autofocus={startsOnCancel ? undefined : true}
    >
      {confirmLabel}
    </Button>
  );
  return (
    <>
      {error ? (
        <Alert ref={problem} tabIndex={-1} color="red" role="alert" lang={foreignLanguage(error)}>
          {error}
        </Alert>
      ) : null}
      {at ? (
        <>
          {cancelButton}
          {confirmButton}
        </>
      ) : (
        <Group justify="flex-end" gap="sm">
          {cancelButton}
          {confirmButton}
        </Group>
      )}
    </>
  );
}
