import { Alert, Button, Group, Text } from '@mantine/core';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/dialog/confirm-dialog';

/** Says that a draft came back, and offers to throw it away. */
export function RestoredNote({ onStartOver }: { onStartOver: () => void }) {
  const { t } = useTranslation('site-form');
  const [isAsking, setAsking] = useState(false);
  return (
    <Alert color="blue" role="status" icon={<Check size={18} aria-hidden />}>
      <Group justify="space-between" gap="sm">
        <Text>{t('wizard.restored')}</Text>
        <Button variant="default" size="compact-md" onClick={() => setAsking(true)}>
          {t('wizard.startOver')}
        </Button>
      </Group>
      <ConfirmDialog
        subject={isAsking}
        title={t('wizard.startOverTitle')}
        confirmLabel={t('wizard.startOver')}
        danger
        onConfirm={() => {
          setAsking(false);
          onStartOver();
        }}
        onCancel={() => setAsking(false)}
      >
        <Text>{t('wizard.leave')}</Text>
      </ConfirmDialog>
    </Alert>
  );
}
