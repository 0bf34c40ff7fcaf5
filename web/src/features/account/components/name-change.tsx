import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { toast } from '@/components/toast';
import { NameFields } from './name-fields';

/** The own name: shown, then changed. */
export function NameChange() {
  const { t } = useTranslation(['shell', 'common']);
  const user = useUser();
  const [isEditing, setIsEditing] = useState(false);
  const name = `${user.firstName} ${user.lastName}`.trim();
  if (isEditing) {
    return (
      <NameFields
        cancelLabel={t('common:action.cancel')}
        onDone={() => {
          toast.success(t('name.saved'), { about: 'own name' });
          setIsEditing(false);
        }}
        onCancel={() => setIsEditing(false)}
      />
    );
  }
  return (
    <Group justify="space-between">
      <div>
        <Text size="sm" c="dimmed">
          {t('name.label')}
        </Text>
        <Text>{name || t('common:notAvailable')}</Text>
      </div>
      <Button variant="default" onClick={() => setIsEditing(true)}>
        {t('name.change')}
      </Button>
    </Group>
  );
}
