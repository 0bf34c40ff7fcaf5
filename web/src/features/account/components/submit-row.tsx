import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { WORKS_WHILE_SENT } from '@/components/form/use-held-fields';
import { SubmitButton } from '@/components/submit-button';

interface SubmitRowProps {
  isSending: boolean;
  label: string;
  onCancel: () => void;
}

/** The buttons of a form in the profile. */
export function SubmitRow({ isSending, label, onCancel }: SubmitRowProps) {
  const { t } = useTranslation('common');
  return (
    <Group gap="sm" {...WORKS_WHILE_SENT}>
      <SubmitButton loading={isSending}>{label}</SubmitButton>
      <Button variant="default" onClick={onCancel}>
        {t('action.cancel')}
      </Button>
    </Group>
  );
}
