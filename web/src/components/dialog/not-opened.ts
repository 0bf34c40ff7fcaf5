import i18next from 'i18next';
import { useEffect } from 'react';
import { toast } from '../toast';
import { type DialogSubject, hasSubject } from './dialog-subject';

/** What every dialog has whose code loads when it is opened. */
export interface DialogProps {
  subject: DialogSubject<unknown>;
  /** Missing in a question that must be answered. */
  onClose?: () => void;
}

/** Returns what stands in place of a dialog that could not be loaded: nothing, once it was told. */
export function notOpened(error: unknown) {
  return function NotOpened({ subject, onClose }: DialogProps) {
    if (!onClose) throw error;
    const isOpen = hasSubject(subject);
    useEffect(() => {
      if (!isOpen) return;
      toast.error(i18next.t('error.notOpened'));
      onClose();
      // oxlint-disable-next-line react/exhaustive-deps
    }, [isOpen]);
    return null;
  };
}
