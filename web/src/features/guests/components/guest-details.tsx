import { Button, Group, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, ArrowLeftRight, Check, LogOut, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useCan } from '@/access/use-user';
import { FactList } from '@/components/fact-list';
import { lazyNamed } from '@/components/lazy-named';
import { ArrivalButtons } from '../ui/arrival-buttons';
import { GuestStatusBadge } from '../ui/guest-status';
import { fullName, hasBed } from '../ui/guest-facts.utils';
import { InsuranceCards } from '../ui/insurance-cards';
import { useGuestFacts } from '../ui/use-guest-facts';
import { PageHeader } from '@/components/page-header';
import classes from './guest-details.module.css';
import { UndoDecision } from '../ui/undo-decision';
import { GuestTimeline } from './guest-timeline';
import { RoomAndBed } from './room-and-bed';

/** Forms are much code, and few visits need this one. Its place is kept free. */
const DepartureForm = lazyNamed(() => import('./departure-form'), 'DepartureForm', {
  fallback: <Skeleton height={152} radius="md" />,
  optional: true,
});

/** Most guests have been here once. */
const SamePerson = lazyNamed(() => import('./same-person'), 'SamePerson', { optional: true });

interface GuestDetailsProps {
  guest: Schemas['Guest'];
  site: Schemas['SiteDetails'];
  /** Accept for a pending guest, reassign for one in a bed: both choose a bed. */
  onPlace: () => void;
  onDecline: () => void;
  onDischarge: () => void;
  onNoShow: () => void;
}

/** The guest's page: summary, room and bed, and what may be done (spec B section 2, Guest details). */
export function GuestDetails({ guest, site, ...actions }: GuestDetailsProps) {
  const { t } = useTranslation('guests');
  const facts = useGuestFacts(guest, site);
  const canPlace = useCan('guest.reassign', { site });
  return (
    <>
      <Link
        to="/reservations/$siteId"
        params={{ siteId: site.id }}
        search={{ tab: hasBed(guest) ? 'guests' : 'reservations' }}
        className={classes.back}
        data-print="hide"
      >
        <ArrowLeft size={16} aria-hidden />
        {t('details.back', { site: site.name })}
      </Link>
      <PageHeader
        title={t('details.title')}
        badge={<GuestStatusBadge guest={guest} />}
        actions={<GuestActions guest={guest} site={site} {...actions} />}
      />
      <div className={classes.columns}>
        <section className={classes.panel} aria-labelledby="guest-summary">
          <h2 id="guest-summary" className={classes.heading}>
            {fullName(guest)}
          </h2>
          <FactList
            facts={[
              facts.code,
              facts.gender,
              facts.age,
              facts.typeOfClient,
              facts.phone,
              facts.email,
              facts.location,
              facts.services,
              facts.reservationDate,
              guest.status === 'pending' ? facts.expiry : null,
              ...facts.payment,
              hasBed(guest) || guest.status === 'discharged' ? facts.days : null,
              facts.acceptedAt,
              canPlace ? null : facts.departure,
              // At a site that does not ask for it, it says nothing.
              site.asksArrival ? facts.arrivedAt : null,
              facts.rejectedAt,
              facts.dischargedAt,
              facts.expiredAt,
              facts.reason,
              facts.feedback,
            ]}
          />
          <InsuranceCards guest={guest} />
        </section>
        <div className={classes.aside}>
          <RoomAndBed guest={guest} />
          {hasBed(guest) && canPlace ? <DepartureForm guest={guest} site={site} /> : null}
          <UndoDecision guest={guest} site={site} />
          <SamePerson guest={guest} site={site} />
          <GuestTimeline guest={guest} site={site} />
        </div>
      </div>
    </>
  );
}

function GuestActions({ guest, site, onPlace, onDecline, onDischarge, onNoShow }: GuestDetailsProps) {
  const { t } = useTranslation('guests');
  const canPlace = useCan('guest.reassign', { site });
  if (!canPlace) return null;
  if (guest.status === 'pending') {
    return (
      <Group gap="sm">
        <Button variant="default" data-shortcut="d" leftSection={<X size={18} aria-hidden />} onClick={onDecline}>
          {t('decline')}
        </Button>
        <Button data-shortcut="a" leftSection={<Check size={18} aria-hidden />} onClick={onPlace}>
          {t('accept')}
        </Button>
      </Group>
    );
  }
  if (!hasBed(guest)) return null;
  return (
    <Group gap="sm">
      {guest.isArriving ? null : (
        <Button variant="default" leftSection={<LogOut size={18} aria-hidden />} onClick={onDischarge}>
          {t('discharge')}
        </Button>
      )}
      <Button
        variant={guest.isArriving ? 'default' : 'filled'}
        data-shortcut="m"
        leftSection={<ArrowLeftRight size={18} aria-hidden />}
        onClick={onPlace}
      >
        {t('reassign')}
      </Button>
      {guest.isArriving ? <ArrivalButtons guest={guest} onNoShow={onNoShow} /> : null}
    </Group>
  );
}
