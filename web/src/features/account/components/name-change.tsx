import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { lazyNamed } from '@/components/lazy-named';
import { toast } from '@/components/toast';
import { OwnFact } from './own-fact';

/** A form, for those who change something. */
const NameFields = lazyNamed(() => import('./name-fields'), 'NameFields', {
  fallback: <Skeleton height={120} radius="md" />,
});

/** The own name: shown, then changed. */
export function NameChange() {
  const { t } = useTranslation(['shell', 'common']);
  const user = useUser();
  const [isEditing, setIsEditing] = useState(false);
  const name = `${user.firstName} ${user.lastName}`.trim();
  return (
    <OwnFact
      label={t('name.label')}
      value={name || t('common:notAvailable')}
      changeLabel={t('name.change')}
      onChange={() => setIsEditing(true)}
      step={isEditing ? 'enter' : 'show'}
    >
      <NameFields
        cancelLabel={t('common:action.cancel')}
        onDone={() => {
          toast.success(t('name.saved'), { about: 'own name' });
          setIsEditing(false);
        }}
        onCancel={() => setIsEditing(false)}
      />
    </OwnFact>
  );
}
