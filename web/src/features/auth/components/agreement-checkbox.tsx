import { Checkbox } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadTexts } from '@/i18n/i18n';

/** The texts are long and seldom read: they load with the first dialog. */
const AgreementDialog = lazy(async () => {
  const [module] = await Promise.all([import('./agreement-dialog'), loadTexts('legal')]);
  return { default: module.AgreementDialog };
});

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
  const [wasOpened, setWasOpened] = useState(false);
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
          setWasOpened(true);
          setIsOpen(true);
        }}
      />
      {wasOpened ? (
        <Suspense fallback={null}>
          <AgreementDialog
            document={document}
            title={t(`legal.${document}`)}
            opened={isOpen}
            onAccept={() => {
              setIsOpen(false);
              onChange(true);
            }}
            onDecline={() => {
              setIsOpen(false);
              onChange(false);
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}
