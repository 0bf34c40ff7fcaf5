import { Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from './confirm-dialog';

/**
 * Asks before unsaved changes are lost, by navigation inside the app and by closing the tab.
 * Returns the dialog; put it anywhere in the view. `text` replaces the spec's general one.
 */
export function useLeaveGuard(dirty: boolean, text?: string): ReactNode {
  const { t } = useTranslation();
  const blocker = useBlocker({
    shouldBlockFn: () => dirty,
    enableBeforeUnload: () => dirty,
    disabled: !dirty,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={blocker.status === 'blocked'}
      title={t('leavePage.title')}
      confirmLabel={t('action.leave')}
      cancelLabel={t('action.stay')}
      danger
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    >
      <Text>{text ?? t('leavePage.text')}</Text>
    </ConfirmDialog>
  );
}
