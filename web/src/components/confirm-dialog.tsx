import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  children?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** Dangerous actions get the red button and name the thing they touch. */
  danger?: boolean;
  busy?: boolean;
  /** A refusal, shown in place; what was asked stays on the screen. */
  error?: string | null;
  confirmDisabled?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
  /** Escape, the cross and a click beside it; `onCancel` unless they mean something else. */
  onClose?: () => void;
}

/** Asks before something happens. Escape, the cross and a click beside it mean cancel; focus returns by itself. */
export function ConfirmDialog({
  opened,
  title,
  children,
  confirmLabel,
  cancelLabel,
  danger = false,
  busy = false,
  error,
  confirmDisabled = false,
  onConfirm,
  onCancel,
  onClose = onCancel,
}: ConfirmDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={busy ? () => undefined : onClose}
      title={title}
      size={350}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="md">
        {children}
        {error ? (
          <Alert color="red" role="alert">
            {error}
          </Alert>
        ) : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel} disabled={busy} data-autofocus={danger || undefined}>
            {cancelLabel ?? t('action.cancel')}
          </Button>
          <Button
            color={danger ? 'red' : undefined}
            onClick={onConfirm}
            loading={busy}
            disabled={confirmDisabled}
            data-autofocus={danger ? undefined : true}
          >
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
