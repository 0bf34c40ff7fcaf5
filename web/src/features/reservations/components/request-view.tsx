import { Alert, Switch } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useCan } from '@/access/use-user';
import { PaymentRequiredError } from '@/api/errors';
import { Counts } from '@/components/counts';
import { EmptyState } from '@/components/empty-state';
import { PageHeader } from '@/components/page-header';
import { useCatalogNames } from '@/components/use-catalog-names';
import { isVacant } from '@/features/houses/ui/beds.utils';
import { usePlacementRules } from '@/features/houses/ui/use-placement-rules';
import { missingFor } from '../offer.utils';
import { BedChoice } from '../ui/bed-choice';
import { bestBed } from '../ui/bed-fit.utils';
import { NoneFits } from '../ui/none-fits';
import { placementOf } from '../ui/placement.utils';
import { TableSkeleton } from '@/components/skeletons';
import { siteStatusQuery } from '@/features/billing/api/site-status';
import { CommandWait } from '@/features/guests/ui/command-wait';
import { smallerThan } from '@/lib/breakpoints';
import { isBedTaken } from '@/features/guests/ui/use-changed-by';
import { AlreadyPlaced } from './already-placed';
import { PlacementBar } from './placement-bar';
import { RefusalAlert } from './refusal-alert';
import classes from './request.module.css';
import { RequestEnded } from './request-ended';
import { RequestGuest } from './request-guest';
import { SubscriptionNeeded } from './subscription-needed';
import { usePlacement } from './use-placement';

interface RequestViewProps {
  guest: Schemas['Guest'];
  site: Schemas['SiteDetails'];
  /** Whom to call about subscriptions, if the product has a phone. */
  supportPhone: string | null;
  /** The bed to propose, if it is vacant; otherwise the one that fits best. */
  bedId?: string | undefined;
}

/** Gives a guest a bed: accepts a reservation, or moves a guest to another bed (spec B sections 2, 4). */
export function RequestView({ guest, site, supportPhone, bedId }: RequestViewProps) {
  const { t } = useTranslation('reservations');
  const canPlace = useCan('guest.accept', { site });
  // What the page was opened for stays, whatever others do to the guest meanwhile: the button below keeps its meaning.
  const [purpose, setPurpose] = useState(() => placementOf(guest.status));
  // Somebody took the acceptance back: it is a reservation again, and the choice begins anew.
  if (purpose === 'reassign' && guest.status === 'pending') setPurpose('accept');
  return (
    <>
      <Link
        to="/reservations/$siteId"
        params={{ siteId: site.id }}
        search={{ tab: purpose === 'accept' ? 'reservations' : 'guests' }}
        className={classes.back}
        data-touch
      >
        <ArrowLeft size={16} aria-hidden />
        {t('request.back', { site: site.name })}
      </Link>
      <PageHeader
        title={t(purpose === 'reassign' ? 'request.reassignTitle' : 'request.acceptTitle', {
          guest: guest.displayName,
        })}
        counts={<Counts {...site.counts} />}
      />
      {canPlace ? (
        purpose === 'ended' ? (
          <RequestEnded guest={guest} site={site} />
        ) : (
          <ChooseBed
            key={purpose}
            purpose={purpose}
            guest={guest}
            site={site}
            supportPhone={supportPhone}
            bedId={bedId}
            onMove={() => setPurpose('reassign')}
          />
        )
      ) : (
        <EmptyState title={t('request.forbidden')} hint={t('request.forbiddenHint')} />
      )}
    </>
  );
}

interface ChooseBedProps extends RequestViewProps {
  purpose: 'accept' | 'reassign';
  onMove: () => void;
  /** After the guest has got a bed; back to the screen before unless given. */
  onPlaced?: () => void;
}

/** The guest beside the beds of the site, and what became of the choice. */
export function ChooseBed({ purpose, guest, site, supportPhone, bedId, onMove, onPlaced }: ChooseBedProps) {
  const { t } = useTranslation('reservations');
  const [showsAll, setShowsAll] = useState(false);
  const isOneColumn = useMediaQuery(smallerThan('tablet'), undefined, { getInitialValueInEffect: false });
  const rules = usePlacementRules(site);
  const placement = usePlacement(purpose, guest, site, { rules, bedId, onPlaced });
  const subscription = useNeededSubscription(purpose, guest, site);
  // A refusal for want of a subscription is over when one became active after it.
  const isPaidSince = subscription.activeAt > placement.sentAt;
  const error = placement.error instanceof PaymentRequiredError && isPaidSince ? null : placement.error;
  // The button is at the foot of the screen, the answer above the beds; on a phone the guest stands above both.
  const notice = useRef<HTMLDivElement>(null);
  const noticed = error ?? placement.lost?.bed.id ?? (!placement.isOwnDoing && subscription.isMissing);
  useEffect(() => {
    const box = notice.current;
    if (!noticed || !box) return;
    box.scrollIntoView({ block: 'center' });
    // A question that lies over the beds keeps the focus.
    const question = document.activeElement?.closest('[role="dialog"]');
    if (!question || question.contains(box)) box.focus({ preventScroll: true });
  }, [noticed]);
  const bedPanel = useRef<HTMLElement>(null);
  const takeOffer = (offered: string) => {
    // The button of the offer goes with it; the bed that it has chosen has the focus then.
    flushSync(() => placement.choose(offered));
    bedPanel.current?.querySelector<HTMLElement>('input:checked')?.focus();
  };
  const now = placementOf(guest.status);
  if (now !== purpose && !placement.isOwnDoing) {
    // `bed-taken` names who took that bed, not who changed this guest.
    const refusal = isBedTaken(error) ? null : error;
    if (now === 'ended') return <RequestEnded guest={guest} site={site} error={refusal} />;
    return <AlreadyPlaced guest={guest} site={site} error={refusal} onMove={onMove} />;
  }
  // The page asks before a bed is chosen in vain. If the status cannot be loaded, the server decides when a bed is confirmed.
  if (!placement.isOwnDoing && subscription.isNeeded) {
    if (subscription.isLoading) return <TableSkeleton rows={3} />;
    if (subscription.isMissing) {
      return (
        <div className={classes.columns}>
          <RequestGuest guest={guest} site={site} />
          <div ref={notice} tabIndex={-1}>
            <SubscriptionNeeded guest={guest} site={site} supportPhone={supportPhone} />
          </div>
        </div>
      );
    }
  }
  const vacant = site.rooms.flatMap(({ beds }) => beds).filter(isVacant).length;
  const noneFits = vacant > 0 && bestBed(site.rooms, guest, rules) === undefined;
  // The bar would ask for a choice that nobody can make.
  const canChoose = vacant > 0 && !(noneFits && rules.breach === 'refused');
  const who = <RequestGuest key="guest" guest={guest} site={site} />;
  const where = (
    <section ref={bedPanel} key="beds" className={classes.panel} aria-labelledby="request-beds">
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
      <SiteMisses guest={guest} site={site} />
      <div ref={notice} tabIndex={-1}>
        <RefusalAlert
          error={error}
          lost={placement.lost}
          refusedBed={placement.askedBed}
          offer={placement.offer}
          guest={guest}
          site={site}
          supportPhone={supportPhone}
          onChoose={takeOffer}
        />
      </div>
      {vacant === 0 ? <EmptyState title={t('request.noBeds')} hint={t('request.noBedsHint')} /> : null}
      {noneFits ? <NoneFits rules={rules} /> : null}
      {vacant > 0 || showsAll ? (
        <BedChoice
          rooms={site.rooms}
          guest={guest}
          rules={rules}
          showsAll={showsAll}
          chosenId={placement.chosen?.bed.id ?? null}
          onChoose={placement.choose}
        />
      ) : null}
      <CommandWait state={placement.waiting} />
      {canChoose || placement.waiting ? <PlacementBar guest={guest} placement={placement} /> : null}
    </section>
  );
  // In one column the beds come first, for the eye and for the keyboard; the bar below them names the guest.
  return <div className={classes.columns}>{isOneColumn ? [where, who] : [who, where]}</div>;
}

/** What the guest needs and the site does not offer; nothing if it offers all. */
function SiteMisses({ guest, site }: Pick<RequestViewProps, 'guest' | 'site'>) {
  const { t, i18n } = useTranslation('reservations');
  const names = useCatalogNames();
  const missing = missingFor(site, guest);
  if (missing.length === 0) return null;
  const list = new Intl.ListFormat(i18n.language).format(missing.map((service) => names.service(service)));
  return (
    <Alert color="yellow" role="note">
      {t('request.siteMisses', { site: site.name, list })}
    </Alert>
  );
}

/** The subscription that accepting a guest of the public search needs at a commercial site (spec B section 4). */
function useNeededSubscription(
  purpose: ChooseBedProps['purpose'],
  guest: Schemas['Guest'],
  site: Schemas['SiteDetails'],
) {
  const isNeeded = purpose === 'accept' && guest.source === 'Web' && site.isCommercial;
  const { data, isLoading, dataUpdatedAt } = useQuery({ ...siteStatusQuery(site.id), enabled: isNeeded });
  return {
    isNeeded,
    isLoading,
    isMissing: data !== undefined && !data?.isActive,
    /** When the subscription was last seen to be active, in epoch milliseconds; 0 if it is not. */
    activeAt: data?.isActive ? dataUpdatedAt : 0,
  };
}
