import { Switch } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useCan } from '@/access/use-user';
import { Counts } from '@/components/counts';
import { EmptyState } from '@/components/empty-state';
import { PageHeader } from '@/components/page-header';
import { isFree, placementOf } from '../placement.utils';
import { BedChoice } from './bed-choice';
import { PlacementBar } from './placement-bar';
import { RefusalAlert } from './refusal-alert';
import classes from './request.module.css';
import { RequestEnded } from './request-ended';
import { RequestGuest } from './request-guest';
import { usePlacement } from './use-placement';

interface RequestViewProps {
  guest: Schemas['Guest'];
  site: Schemas['SiteDetails'];
  /** Whom to call about subscriptions, if the product has a phone. */
  supportPhone: string | null;
}

/** Gives a guest a bed: accepts a reservation, or moves a guest to another bed (spec B sections 2, 4). */
export function RequestView({ guest, site, supportPhone }: RequestViewProps) {
  const { t } = useTranslation('reservations');
  const canPlace = useCan('guest.accept', { site });
  const placement = placementOf(guest.status);
  return (
    <>
      <Link
        to="/reservations/$siteId"
        params={{ siteId: site.id }}
        search={{ tab: placement === 'accept' ? 'reservations' : 'guests' }}
        className={classes.back}
      >
        <ArrowLeft size={16} aria-hidden />
        {t('request.back', { site: site.name })}
      </Link>
      <PageHeader
        title={placement === 'reassign' ? t('request.reassignTitle') : t('request.acceptTitle')}
        counts={<Counts {...site.counts} />}
      />
      {canPlace ? (
        placement === 'ended' ? (
          <RequestEnded guest={guest} />
        ) : (
          <ChooseBed guest={guest} site={site} supportPhone={supportPhone} />
        )
      ) : (
        <EmptyState title={t('request.forbidden')} hint={t('request.forbiddenHint')} />
      )}
    </>
  );
}

function ChooseBed({ guest, site, supportPhone }: RequestViewProps) {
  const { t } = useTranslation('reservations');
  const [showsAll, setShowsAll] = useState(false);
  const placement = usePlacement(guest, site);
  const { error } = placement;
  const refusal = useRef<HTMLDivElement>(null);
  // The button is at the foot of the screen, the answer above the beds.
  useEffect(() => {
    if (error) refusal.current?.scrollIntoView({ block: 'center' });
  }, [error]);
  const vacant = site.rooms.flatMap(({ beds }) => beds).filter(isFree).length;
  return (
    <div className={classes.columns}>
      <RequestGuest guest={guest} site={site} />
      <section className={classes.panel} aria-labelledby="request-beds">
        <div className={classes.bedsHead}>
          <h2 id="request-beds" className={classes.heading}>
            {t('request.vacancy', { count: vacant })}
          </h2>
          <Switch
            label={t('request.showAll')}
            checked={showsAll}
            onChange={(event) => setShowsAll(event.currentTarget.checked)}
          />
        </div>
        <div ref={refusal}>
          <RefusalAlert
            error={error}
            lost={placement.lost}
            offer={placement.offer}
            guest={guest}
            site={site}
            supportPhone={supportPhone}
            onChoose={placement.choose}
          />
        </div>
        {vacant === 0 ? <EmptyState title={t('request.noBeds')} hint={t('request.noBedsHint')} /> : null}
        {vacant > 0 || showsAll ? (
          <BedChoice
            rooms={site.rooms}
            showsAll={showsAll}
            chosenId={placement.chosen?.bed.id ?? null}
            onChoose={placement.choose}
          />
        ) : null}
        {vacant > 0 ? <PlacementBar guest={guest} placement={placement} /> : null}
      </section>
    </div>
  );
}
