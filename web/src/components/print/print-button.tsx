import { Button } from '@mantine/core';
import { Printer } from 'lucide-react';
import { useTranslation } from 'react-i18next';

/** Prints the page. Its sheets appear when the browser asks for them, by this button or by its own menu. */
export function PrintButton() {
  const { t } = useTranslation();
  return (
    <Button variant="default" leftSection={<Printer size={16} aria-hidden />} onClick={() => window.print()}>
      {t('action.print')}
    </Button>
  );
}
