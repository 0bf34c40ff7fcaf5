import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../toast';
import { type DialogSubject, hasSubject } from './dialog-subject';

interface NotOpenedProps {
  subject: DialogSubject<unknown>;
  onClose?: () => void;
}

/** Stands in place of a dialog that could not be loaded: closes it and says so. */
export function NotOpened({ subject, onClose }: NotOpenedProps) {
  const { t } = useTranslation();
  const isOpen = hasSubject(subject);
  useEffect(() => {
    if (!isOpen) return;
    toast.error(t('error.notOpened'));
    onClose?.();
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isOpen]);
  return null;
}
