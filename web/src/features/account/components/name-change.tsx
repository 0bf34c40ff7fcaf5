import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { toast } from '@/components/toast';
import { NameFields } from './name-fields';
import { OwnFact } from './own-fact';

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
    <OwnFact
      label={t('name.label')}
      value={name || t('common:notAvailable')}
      changeLabel={t('name.change')}
      onChange={() => setIsEditing(true)}
    />
  );
}
