import { Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { EmailLink } from '@/components/contact-link';
import { StatusBadge } from '@/components/status-badge';
import type { AccessUser } from '../api/types';

/** The email that names a row; the own row says so. */
export function UserEmail({ user }: { user: AccessUser }) {
  const { t } = useTranslation('users');
  const isOwn = useUser().id === user.user.id;
  return (
    <Group gap="4px 8px" component="span">
      <EmailLink email={user.user.email} />
      {isOwn ? <StatusBadge tone="brand">{t('you')}</StatusBadge> : null}
    </Group>
  );
}
