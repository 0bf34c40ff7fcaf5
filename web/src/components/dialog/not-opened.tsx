import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../toast';
import type { LazyDialogProps } from '../lazy-named';
import { hasSubject } from './dialog-subject';

const ABOUT = 'not-opened';

/** Stands in place of a dialog that could not be loaded: closes it and says so, until the next try. */
export function NotOpened({ subject, onClose }: LazyDialogProps) {
  const { t } = useTranslation();
  const isOpen = hasSubject(subject);
  useEffect(() => {
    if (!isOpen) return;
    toast.error(t('error.notOpened'), { about: ABOUT });
    onClose?.();
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isOpen]);
  useEffect(() => () => toast.hide(ABOUT), []);
  return null;
}
