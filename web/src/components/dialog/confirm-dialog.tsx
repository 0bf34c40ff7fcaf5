import { Alert, Button, Group, Stack } from '@mantine/core';
import { type ReactNode, type Ref, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { foreignLanguage } from '@/api/problem-words';
import { DialogFrame, type DialogFrameProps } from './dialog-frame';

export interface ConfirmDialogProps<Subject>
  extends
    Pick<DialogFrameProps<Subject>, 'subject' | 'title' | 'children'>,
    Omit<ConfirmAnswersProps, 'confirmLabel' | 'cancelLabel' | 'onConfirm'> {
  confirmLabel: string | ((subject: Subject) => string);
  cancelLabel?: string | ((subject: Subject) => string);
  onConfirm: (subject: Subject) => void;
  /** Escape, the cross and a click beside it; `onCancel` unless they mean something else. */
  onClose?: () => void;
}

/**
 * Asks a question with two answers. Escape, the cross and a click beside it mean cancel. Use `ConfirmMutation` where the
 * answer is sent to the server.
 */
export function ConfirmDialog<Subject>(props: ConfirmDialogProps<Subject>) {
  const {
    subject,
    title,
    children,
    confirmLabel,
    cancelLabel,
    onConfirm,
    onClose = props.onCancel,
    ...answers
  } = props;
  return (
    <DialogFrame subject={subject} title={title} width={350} onClose={props.busy ? () => undefined : onClose}>
      {(of) => (
        <Stack gap="md">
          {typeof children === 'function' ? children(of) : children}
          <ConfirmAnswers
            {...answers}
            confirmLabel={labelFor(of, confirmLabel)}
            cancelLabel={labelFor(of, cancelLabel)}
            onConfirm={() => onConfirm(of)}
          />
        </Stack>
      )}
    </DialogFrame>
  );
}

/** The label of an answer, which may depend on the subject of the question. */
export function labelFor<Subject, Label extends string | undefined>(
  of: Subject,
  label: Label | ((subject: Subject) => string),
): Label | string {
  return typeof label === 'function' ? label(of) : label;
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
  /** In place of the confirming button: the way to what has to be done first. */
  way?: ReactNode;
  /** Gets the confirming button, to lay the dialog by it. */
  confirmRef?: Ref<HTMLButtonElement>;
  onConfirm: () => void;
  onCancel: () => void;
}

/** The foot of a question: a refusal, and the two buttons. */
export function ConfirmAnswers(props: ConfirmAnswersProps) {
  const { confirmLabel, cancelLabel, danger = false, busy = false, error, confirmDisabled = false, way } = props;
  const { confirmRef, onConfirm, onCancel } = props;
  const { startsOnCancel = danger } = props;
  const { t } = useTranslation();
  const problem = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!error || busy) return;
    // With its answers, where there is room for both.
    problem.current?.nextElementSibling?.scrollIntoView({ block: 'nearest' });
    problem.current?.scrollIntoView({ block: 'nearest' });
    // A button that is off until an outcome is known cannot keep the focus.
    if (document.activeElement === document.body) problem.current?.focus({ preventScroll: true });
  }, [error, busy]);
  return (
    <>
      {error ? (
        <Alert ref={problem} tabIndex={-1} color="red" role="alert" lang={foreignLanguage(error)}>
          {error}
        </Alert>
      ) : null}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel} disabled={busy} data-autofocus={startsOnCancel || undefined}>
          {cancelLabel ?? t('action.cancel')}
        </Button>
        {way ?? (
          <Button
            ref={confirmRef}
            color={danger ? 'red' : undefined}
            onClick={onConfirm}
            loading={busy}
            disabled={confirmDisabled}
            data-autofocus={startsOnCancel ? undefined : true}
          >
            {confirmLabel}
          </Button>
        )}
      </Group>
    </>
  );
}
