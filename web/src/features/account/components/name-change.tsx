import { Skeleton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
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
  const box = useRef<HTMLDivElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    // The form and the button take each other's place, and what goes cannot keep the focus.
    if (wasEditing.current && !isEditing) box.current?.querySelector('button')?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
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
    <div ref={box}>
      <OwnFact
        label={t('name.label')}
        value={name || t('common:notAvailable')}
        changeLabel={t('name.change')}
        onChange={() => setIsEditing(true)}
      />
    </div>
  );
}
