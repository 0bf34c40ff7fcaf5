import { useTranslation } from 'react-i18next';
import { PageHeader } from '@/components/page-header';
import { InvitationList } from './invitation-list';

/** Where a person accepts or declines what others invited to. */
export function InvitationsPage() {
  const { t } = useTranslation('account');
  return (
    <>
      <PageHeader title={t('invitations.title')} />
      <InvitationList />
    </>
  );
}
