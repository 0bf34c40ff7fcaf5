import { Alert, Anchor, Button } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BedDouble, UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { Counts } from '@/components/counts';
import { lazyDialog } from '@/components/lazy-named';
import { PageHeader } from '@/components/page-header';
import { useChangeSearch } from '@/components/use-change-search';
import { usePlaceGuest } from '@/features/guests/ui/use-place-guest';
import { siteQuery } from '@/features/sites/api/site-query';
import { Waitlist } from '@/features/waitlist/components/waitlist';

const GuestOrWaitingDialog = lazyDialog(() => import('./guest-or-waiting-dialog'), 'GuestOrWaitingDialog');
const EditWaitingDialog = lazyDialog(() => import('./edit-waiting-dialog'), 'EditWaitingDialog');

interface WaitlistPageProps {
  siteId: string;
  /** Whether the form for a person who is to wait is open. */
  isAdding: boolean;
  /** The person whose form is open. */
  edited: string | undefined;
}

/** The people who wait for a bed at a site, and the offers of freed beds to them. */
export function WaitlistPage({ siteId, isAdding, edited }: WaitlistPageProps) {
  const { t } = useTranslation('reservations', { keyPrefix: 'waitlist' });
  const { data: site } = useSuspenseQuery(siteQuery(siteId));
  const change = useChangeSearch<'/waitlist/$siteId'>();
  const mayAdd = useCan('guest.add', { site });
  const placeGuest = usePlaceGuest();
  const closeForm = () => change({ open: undefined }, { replace: true });
  return (
    <>
      <PageHeader
        title={t('pageTitle', { site: site.name })}
        breadcrumbs={[
          { label: site.name, link: { to: '/reservations/$siteId', params: { siteId } } },
          { label: t('title') },
        ]}
        counts={<Counts {...site.counts} />}
        actions={
          mayAdd ? (
            <Button
              variant="default"
              leftSection={<UserPlus size={18} aria-hidden />}
              onClick={() => change({ open: 'add' })}
            >
              {t('add.button')}
            </Button>
          ) : null
        }
      />
      {mayAdd && site.counts.available > 0 ? <BedsAvailable site={site} /> : null}
      <Waitlist site={site} onEdit={(id) => change({ edit: id })} />
      <GuestOrWaitingDialog
        subject={isAdding && mayAdd}
        site={site}
        startsAs="waiting"
        onClose={closeForm}
        onAdded={(guest, leadsTo) => {
          if (leadsTo === 'list') closeForm();
          else placeGuest(guest, { replace: true });
        }}
      />
      <EditWaitingDialog
        subject={mayAdd && edited !== undefined ? edited : null}
        site={site}
        onClose={() => change({ edit: undefined }, { replace: true })}
      />
    </>
  );
}

/** Says before a form is filled in that nobody has to wait, except for a bed of another type. */
function BedsAvailable({ site }: { site: Schemas['SiteDetails'] }) {
  const { t } = useTranslation('reservations');
  return (
    <Alert color="blue" icon={<BedDouble size={18} aria-hidden />} mb="md">
      {t('waitlist.available', { count: site.counts.available })}{' '}
      <Anchor
        inherit
        underline="always"
        data-touch
        renderRoot={(props) => (
          <Link to="/reservations/$siteId" params={{ siteId: site.id }} search={{ open: 'new-guest' }} {...props} />
        )}
      >
        {t('newGuest')}
      </Anchor>
    </Alert>
  );
}
