import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ClipboardList } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { ConfirmDialog } from '@/components/dialog/confirm-dialog';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { lazyNamed } from '@/components/lazy-named';
import { TableSkeleton } from '@/components/skeletons';
import { useOpenCommands } from '@/features/guests/api/open-commands';
import { steadyPress } from '@/lib/steady-press';
import { aboutWaiting } from '../api/waitlist-commands';
import { waitlistQuery } from '../api/waitlist-query';
import { useNotOfferedText } from './use-not-offered-text';
import { useSteadyRows } from './use-steady-rows';
import { useTakeBed } from './use-take-bed';
import { WaitingPerson } from './waiting-person';
import { type Asked, WaitingQuestion } from './waiting-question';
import classes from './waitlist.module.css';

const NOBODY: readonly Schemas['WaitingGuest'][] = [];

interface WaitlistProps {
  site: Schemas['SiteDetails'];
  /** Opens the form of a person. */
  onEdit: (id: string) => void;
}

/** Last on the page, and nobody waits for it: the code of forms comes after the list. */
const OfferPeriod = lazyNamed(() => import('./offer-period'), 'OfferPeriod', { optional: true });

/** The people who wait for a bed at a site, the next to be asked first, and the offers that stand. */
export function Waitlist({ site, onEdit }: WaitlistProps) {
  const { t } = useTranslation('reservations');
  const mayChange = useCan('guest.add', { site });
  const mayEdit = useCan('site.edit', { site });
  const { data, error, refetch } = useQuery(waitlistQuery(site.id));
  const { take, third, allowThird, dismissThird } = useTakeBed(site);
  const [asked, setAsked] = useState<Asked | null>(null);
  const notOffered = useNotOfferedText(site);
  const open = useOpenCommands();
  const stateOf = (id: string) => open.find(({ about }) => about === aboutWaiting(id))?.state;
  const { rows, list, listProps } = useSteadyRows(data?.items ?? NOBODY, (id) => stateOf(id) !== undefined);

  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <TableSkeleton rows={4} />;
  return (
    <>
      {rows.length === 0 ? (
        <EmptyState
          icon={<ClipboardList size={32} strokeWidth={1.5} />}
          title={t('waitlist.empty')}
          hint={t(mayChange ? 'waitlist.emptyHint' : 'waitlist.emptyHintStaff')}
        />
      ) : (
        <>
          <Text c="dimmed" size="sm" mb="sm">
            {t('waitlist.order')}
          </Text>
          <ol ref={list} className={classes.list} aria-label={t('waitlist.title')} {...listProps} {...steadyPress}>
            {rows.map((person, index) => (
              <WaitingPerson
                key={person.id}
                person={person}
                place={index + 1}
                mayChange={mayChange}
                notOffered={notOffered(person)}
                state={stateOf(person.id)}
                onAction={(action) => {
                  if (action === 'take') take(person);
                  else if (action === 'edit') onEdit(person.id);
                  else setAsked({ action, person });
                }}
              />
            ))}
          </ol>
        </>
      )}
      {mayEdit ? <OfferPeriod siteId={site.id} minutes={data.offerMinutes} /> : null}
      <WaitingQuestion asked={asked} siteId={site.id} onClose={() => setAsked(null)} />
      <ConfirmDialog
        subject={third}
        title={t('form.thirdTitle')}
        confirmLabel={t('form.thirdConfirm')}
        onConfirm={allowThird}
        onCancel={dismissThird}
      >
        {({ sentence }) => sentence}
      </ConfirmDialog>
    </>
  );
}
