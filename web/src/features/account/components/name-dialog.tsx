import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '@/components/dialog/dialog';
import { NameFields } from './name-fields';

/** Asks whoever was invited by email alone for a name, at the first sign-in and at each one until there is one. */
export function NameDialog() {
  const { t } = useTranslation(['shell', 'common']);
  const [isOpen, setIsOpen] = useState(true);
  const close = () => setIsOpen(false);
  return (
    <Dialog subject={isOpen} title={t('name.title')} closeOnClickOutside={false} onClose={close}>
      <Stack gap="md">
        <Text>{t('name.text')}</Text>
        <NameFields cancelLabel={t('name.later')} onDone={close} onCancel={close} />
      </Stack>
    </Dialog>
  );
}
