import { Checkbox } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '@/components/lazy-named';

/** The texts are long and seldom read: they load with the first dialog. */
const AgreementDialog = lazyDialog(() => import('./agreement-dialog'), 'AgreementDialog', { texts: ['legal'] });

interface AgreementCheckboxProps {
  document: 'terms' | 'agreement';
  label: string;
  checked: boolean;
  error?: ReactNode;
  onChange: (checked: boolean) => void;
}

/** A required agreement: ticking it opens the text, and only *Accept* there ticks it. */
export function AgreementCheckbox({ document, label, checked, error, onChange }: AgreementCheckboxProps) {
  const { t } = useTranslation('auth');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Checkbox
        label={label}
        checked={checked}
        error={error}
        required
        aria-haspopup="dialog"
        onChange={() => {
          if (checked) {
            onChange(false);
            return;
          }
          setIsOpen(true);
        }}
      />
      <AgreementDialog
        subject={isOpen}
        document={document}
        title={t(`legal.${document}`)}
        onAccept={() => {
          setIsOpen(false);
          onChange(true);
        }}
        onDecline={() => {
          setIsOpen(false);
          onChange(false);
        }}
      />
    </>
  );
}
