import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { useCatalogNames } from '@/components/use-catalog-names';
import { useOpenCommand } from '@/features/guests/api/open-commands';
import { CommandMark } from '@/features/guests/ui/command-mark';
import { fullName, methodOf, serviceNames } from '@/features/guests/ui/guest-facts.utils';
import { HoldBar } from '@/features/guests/ui/hold-bar';
import { HoldLeft } from '@/features/guests/ui/hold-left';
import { formatPhone } from '@/lib/phone';
import { steadyPress } from '@/lib/steady-press';
import classes from './today.module.css';

/** The row to go on with. A new object each time, so that the same row can be asked for again. */
export interface FocusRequest {
  /** The guest of the row; none when no row is left. */
  guestId: string | undefined;
}

export interface Decide {
  onAccept: (waiting: Schemas['TodayReservation']) => void;
  onDecline: (waiting: Schemas['TodayReservation']) => void;
}

interface WaitingListProps extends Decide {
  waiting: readonly Schemas['TodayReservation'][];
  /** Id of the heading that names the list. */
  headingId: string;
  /** Ids of the guests whose rows have just come. */
  newIds: ReadonlySet<string>;
  /** One line a guest: who, where, how long. */
  isCompact?: boolean;
}

/**
 * Goes on with the row that is asked for, on its *Accept*; with the heading when there is none left. For the screen around
 * the list, which stays when the list goes. A row below the shown ones is waited for: it moves up.
 */
export function useFocusRow(
  request: FocusRequest | null,
  waiting: readonly Schemas['TodayReservation'][] | undefined,
  headingId: string,
): void {
  const done = useRef<FocusRequest | null>(null);
  useEffect(() => {
    if (!request || request === done.current) return;
    const rows = [...document.querySelectorAll<HTMLElement>('[data-guest]')];
    const row = rows.find(({ dataset }) => dataset.guest === request.guestId);
    if (!row && waiting?.some(({ guest }) => guest.id === request.guestId)) return;
    done.current = request;
    const target = row?.querySelector<HTMLElement>('[data-accept]') ?? document.getElementById(headingId);
    target?.focus();
  }, [request, waiting, headingId]);
}

/** The reservations that wait for a decision, in the order of the server: the hold that ends soonest first. */
export function WaitingList({ waiting, headingId, newIds, isCompact = false, ...decide }: WaitingListProps) {
  return (
    <ul className={classes.rows} aria-labelledby={headingId} data-compact={isCompact} {...steadyPress}>
      {waiting.map((entry) => (
        <li
          key={entry.guest.id}
          className={classes.row}
          data-guest={entry.guest.id}
          data-shortcut-scope
          data-new={newIds.has(entry.guest.id) || undefined}
        >
          <WaitingRow entry={entry} isCompact={isCompact} {...decide} />
        </li>
      ))}
    </ul>
  );
}

/** Memoized, so that a change of one reservation draws one row. */
const WaitingRow = memo(function WaitingRow({
  entry,
  isCompact,
  onAccept,
  onDecline,
}: Decide & { entry: Schemas['TodayReservation']; isCompact: boolean }) {
  const { t } = useTranslation(['today', 'reservations']);
  const { guest, site } = entry;
  const canAccept = useCan('guest.accept', { site });
  const canDecline = useCan('guest.decline', { site });
  // The server leaves it out, too.
  const canSeeContacts = useCan('guest.viewContacts', { site });
  const isOpen = useOpenCommand(guest.id) !== undefined;
  return (
    <>
      <div className={classes.who}>
        <span>
          <GuestLink guest={guest} isCompact={isCompact} /> <span className={classes.code}>{guest.code}</span>
        </span>
        <span className={classes.dim}>{site.name}</span>
        {guest.phone && canSeeContacts && !isCompact ? (
          <a href={`tel:${guest.phone}`} className={classes.phone} data-touch>
            {formatPhone(guest.phone)}
          </a>
        ) : null}
      </div>
      {isCompact ? null : <Needs entry={entry} />}
      <div className={classes.hold}>
        {guest.expiresAt === null ? (
          <span className={classes.dim}>{t('waiting.noHold')}</span>
        ) : (
          <HoldLeft expiresAt={guest.expiresAt} />
        )}
        <HoldBar guest={guest} />
        <CommandMark guestId={guest.id} />
      </div>
      {canAccept || canDecline ? (
        <div className={classes.actions}>
          {canDecline ? (
            <Button
              size="sm"
              variant="default"
              leftSection={isCompact ? null : <X size={16} aria-hidden />}
              disabled={isOpen}
              aria-label={t('reservations:declineLabel', { guest: guest.displayName })}
              onClick={() => onDecline(entry)}
              data-shortcut="d"
            >
              {t('reservations:decline')}
            </Button>
          ) : null}
          {canAccept ? (
            <Button
              size="sm"
              leftSection={isCompact ? null : <Check size={16} aria-hidden />}
              disabled={isOpen}
              aria-label={t('reservations:acceptLabel', { guest: guest.displayName })}
              onClick={() => onAccept(entry)}
              data-accept
              data-shortcut="a"
            >
              {t('reservations:accept')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </>
  );
});

interface GuestLinkProps {
  guest: Pick<Schemas['Guest'], 'id' | 'siteId' | 'firstName' | 'lastName'>;
  /** Other things around it are its target too: it needs no height of its own. */
  isCompact?: boolean;
}

/** The name of a guest, which leads to the guest's page. */
export function GuestLink({ guest, isCompact = false }: GuestLinkProps) {
  return (
    <Link
      to="/reservations/guest/$siteId/$guestId"
      params={{ siteId: guest.siteId, guestId: guest.id }}
      className={classes.name}
      data-touch={isCompact ? undefined : true}
    >
      {fullName(guest)}
    </Link>
  );
}

/** What the guest needs, and how the stay is paid. */
function Needs({ entry: { guest, site } }: { entry: Schemas['TodayReservation'] }) {
  const { t } = useTranslation(['guests', 'today']);
  const names = useCatalogNames();
  const method = guest.organizationReservationPaymentMethod;
  const payer = site.isCommercial
    ? [method && names.method(methodOf(method)), guest.insuranceCompanyName].filter(Boolean).join(', ')
    : guest.mediCalChoice && names.payment(guest.mediCalChoice);
  const person = [guest.age && names.service(guest.age), t(`gender.${guest.gender}`)].filter(Boolean).join(', ');
  return (
    <dl className={classes.needs}>
      <Need label={t('fact.services')} value={serviceNames(guest, names.service)} />
      <Need label={t('fact.payment')} value={payer || t('today:waiting.noPayer')} />
      <Need label={`${t('fact.age')}, ${t('fact.gender')}`} value={person} />
    </dl>
  );
}

/** A fact. The label is for screen readers. */
function Need({ label, value }: { label: string; value: string }) {
  if (value === '') return null;
  return (
    <div>
      <dt className={classes.hidden}>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
