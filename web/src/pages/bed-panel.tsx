import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { ArrowLeftRight, Ban, BedDouble, LogOut } from 'lucide-react';
import { ReasonTooltip } from '@/components/reason-tooltip';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { Dialog } from '@/components/dialog/dialog';
import { ErrorState } from '@/components/error-state';
import { FactList } from '@/components/fact-list';
import { TableSkeleton } from '@/components/skeletons';
import { useCatalogNames } from '@/components/use-catalog-names';
import { useHeldRows } from '@/components/use-held-rows';
import { useSiteGuests } from '@/features/guests/api/use-site-guests';
import { guestCommands } from '@/features/guests/api/guest-commands';
import { useOpenCommand } from '@/features/guests/api/open-commands';
import { DecisionDialog } from '@/features/guests/components/decision-dialog';
import { GuestTimeline } from '@/features/guests/components/guest-timeline';
import { ArrivalButtons } from '@/features/guests/ui/arrival-buttons';
import { GuestHeading, GuestPageLink } from '@/features/guests/ui/guest-heading';
import { CommandWait } from '@/features/guests/ui/command-wait';
import { hasBed, serviceNames } from '@/features/guests/ui/guest-facts.utils';
import { HoldLeft } from '@/features/guests/ui/hold-left';
import { useGuestFacts } from '@/features/guests/ui/use-guest-facts';
import { usePlaceGuest } from '@/features/guests/ui/use-place-guest';
import { HousesDialogs } from '@/features/houses/components/houses-dialogs';
import { enableLabelKey } from '@/features/houses/ui/bed-tile.utils';
import { BedTile } from '@/features/houses/ui/bed-tile';
import { findBed, type PlacedBed } from '@/features/houses/ui/beds.utils';
import { useBedTexts } from '@/features/houses/ui/use-bed-texts';
import { isRefused, misfitsOf } from '@/features/houses/ui/meant-for.utils';
import { useEnableBed } from '@/features/houses/ui/use-enable-bed';
import { usePlacementRules } from '@/features/houses/ui/use-placement-rules';
import { waitingReservations } from '@/features/reservations/reservations.utils';
import { rankBeds } from '@/features/reservations/ui/bed-fit.utils';
import { useFitTexts } from '@/features/reservations/ui/use-fit-texts';
import { PlacementRefusal } from '@/features/reservations/ui/placement-refusal';
import { useGiveBed } from '@/features/reservations/ui/use-give-bed';
import { steadyPress } from '@/lib/steady-press';
import { formatDateTime } from '@/lib/time';

type Guest = Schemas['Guest'];
type Site = Schemas['SiteDetails'];

interface BedPanelProps {
  /** Id of the bed. */
  subject: string | undefined;
  site: Site;
  onClose: () => void;
  /** The button that leads to the form for somebody new. */
  newGuest: ReactNode;
}

/** A bed at the side of the houses: its guest and what may be done, or who might get it. It follows what others do. */
export function BedPanel({ subject, onClose, ...props }: BedPanelProps) {
  const { t } = useTranslation('houses');
  const { rooms } = props.site;
  // The bed as it is by now; the panel of one that is gone closes.
  const placed = useMemo(() => findBed(rooms, subject ?? null), [rooms, subject]);
  return (
    <Dialog
      atSide
      inAddress
      subject={placed}
      title={({ bed, room }) => t('bedPanel.title', { bed: bed.name, house: room.name })}
      onClose={onClose}
    >
      {(shown) => <PanelContent key={shown.bed.id} placed={shown} onClose={onClose} {...props} />}
    </Dialog>
  );
}

interface ContentProps extends Pick<BedPanelProps, 'site' | 'onClose' | 'newGuest'> {
  placed: PlacedBed;
}

/** Who is in a bed. */
type Holder = Schemas['Bed']['guest'];

/** The guest who is asked about, and whether they leave or never came. */
interface Leaving {
  guest: Guest;
  kind: 'discharge' | 'noShow';
}

function PanelContent({ placed, site, onClose, newGuest }: ContentProps) {
  const texts = useBedTexts();
  // The question stays when its guest has left the bed meanwhile: something may be typed in it.
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  const { bed } = placed;
  const { data: guests, error, refetch } = useSiteGuests(site.id);
  const holder = bed.guest;
  // Whom the user means. Another guest's buttons must not come to stand under the mouse or the focus.
  const [meant, setMeant] = useState(holder);
  // The user's own change needs no word.
  if (holder !== meant && (holder?.id === meant?.id || isOwnChange(bed.id, meant, holder))) setMeant(holder);
  // Those who wait then come in place of the buttons of a guest.
  const [replaces, setReplaces] = useState(false);
  if (holder && !replaces) setReplaces(true);
  const content = (): ReactNode => {
    if (!guests)
      return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <TableSkeleton rows={3} />;
    if (holder?.id !== meant?.id) return <Changed before={meant} now={holder} onShow={() => setMeant(holder)} />;
    if (holder) {
      const guest = guests.find(({ id }) => id === holder.id);
      // The two lists are loaded one after the other.
      return guest ? <Occupant guest={guest} site={site} onLeaving={setLeaving} /> : <TableSkeleton rows={3} />;
    }
    if (bed.disabled) return null;
    if (bed.offeredUntil !== null)
      return <OnOffer siteId={site.id} timeZone={site.timeZone} until={bed.offeredUntil} />;
    const waiting = waitingReservations(guests);
    return <Waiting {...{ placed, site, waiting, newGuest, replaces }} onPlaced={onClose} />;
  };
  return (
    <Stack gap="md">
      <BedTile bed={bed} texts={texts} />
      {content()}
      <OutOfUse placed={placed} site={site} />
      <DecisionDialog
        subject={leaving?.guest ?? null}
        kind={leaving?.kind ?? 'discharge'}
        onClose={() => setLeaving(null)}
      />
    </Stack>
  );
}

/**
 * Returns true if a command from this tab has changed who is in the bed: it took out the guest who was there before, or put
 * in the one who is there now.
 */
function isOwnChange(bedId: string, before: Holder, now: Holder): boolean {
  const doneAbout = (holder: Holder) => (holder ? guestCommands.lastDone(holder.id) : undefined);
  const isHere = (guest: Guest) => hasBed(guest) && guest.assignedBedId === bedId;
  const came = doneAbout(now)?.guest;
  if (came && came.version === now?.version && isHere(came)) return true;
  const left = doneAbout(before);
  // Whoever has come back since, by a change elsewhere, is there in a newer version.
  if (!left || !before || left.guest.version <= before.version || isHere(left.guest)) return false;
  // Nobody comes by it, unless they change places.
  return now === null || left.update.status === 'SWAP';
}

interface ChangedProps {
  before: Holder;
  now: Holder;
  onShow: () => void;
}

/** Says that another guest is in the bed now, or nobody, by a change elsewhere; a press shows what can be done. */
function Changed({ before, now, onShow }: ChangedProps) {
  const { t } = useTranslation('houses');
  const names = { guest: (now ?? before)?.displayName };
  return (
    <Alert color="yellow" role="alert">
      <Stack gap="sm" align="flex-start">
        <Text>{t(now ? 'bedPanel.otherGuest' : 'bedPanel.guestLeft', names)}</Text>
        <Button variant="default" onClick={onShow} {...steadyPress}>
          {t(now ? 'bedPanel.showGuest' : 'bedPanel.showBed', names)}
        </Button>
      </Stack>
    </Alert>
  );
}

/** Says that the bed is promised to a person on the waitlist, and leads there. */
function OnOffer({ siteId, timeZone, until }: { siteId: string; timeZone: string; until: string }) {
  const { t, i18n } = useTranslation('houses');
  return (
    <Alert color="yellow">
      <Stack gap="sm" align="flex-start">
        <Text>{t('bedPanel.offered', { time: formatDateTime(until, i18n.language, timeZone) })}</Text>
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to="/waitlist/$siteId" params={{ siteId }} />}
        >
          {t('bedPanel.openWaitlist')}
        </Button>
      </Stack>
    </Alert>
  );
}

/** Who is in the bed, what happened, and what can be done: arrived or not, move, discharge. */
function Occupant({ guest, site, onLeaving }: { guest: Guest; site: Site; onLeaving: (leaving: Leaving) => void }) {
  const { t } = useTranslation(['houses', 'guests']);
  const canPlace = useCan('guest.reassign', { site });
  const facts = useGuestFacts(guest, site);
  const open = useOpenCommand(guest.id);
  const placeGuest = usePlaceGuest();
  return (
    <>
      <GuestHeading guest={guest} />
      <CommandWait state={open?.state} />
      {canPlace ? (
        <Group gap="sm" grow>
          {guest.isArriving ? (
            <ArrivalButtons guest={guest} onNoShow={() => onLeaving({ guest, kind: 'noShow' })} />
          ) : (
            <Button
              variant="default"
              leftSection={<LogOut size={18} aria-hidden />}
              disabled={open !== undefined}
              onClick={() => onLeaving({ guest, kind: 'discharge' })}
            >
              {t('guests:discharge')}
            </Button>
          )}
          <Button
            variant={guest.isArriving ? 'default' : 'filled'}
            leftSection={<ArrowLeftRight size={18} aria-hidden />}
            data-shortcut="m"
            disabled={open !== undefined}
            onClick={() => placeGuest(guest)}
          >
            {t('bedPanel.move')}
          </Button>
        </Group>
      ) : null}
      <FactList
        facts={[
          facts.code,
          facts.days,
          facts.departure,
          facts.gender,
          facts.age,
          facts.typeOfClient,
          facts.phone,
          facts.email,
          facts.location,
          facts.services,
          ...facts.payment,
          facts.acceptedAt,
        ]}
      />
      <GuestPageLink guest={guest} />
      <GuestTimeline guest={guest} site={site} />
    </>
  );
}

interface WaitingProps {
  placed: PlacedBed;
  site: Site;
  waiting: readonly Guest[];
  onPlaced: () => void;
  newGuest: ReactNode;
  /** Whether the buttons of a guest were there before. */
  replaces: boolean;
}

/** Who might get the vacant bed: the reservations whom it fits, the most urgent first, then the others, or somebody new. */
function Waiting({ placed, site, waiting, onPlaced, newGuest, replaces }: WaitingProps) {
  const { t } = useTranslation('houses');
  const canPlace = useCan('guest.accept', { site });
  const rules = usePlacementRules(site);
  const root = useHeldRows<HTMLElement>({ replaces });
  if (!canPlace) return null;
  const isFor = (guest: Guest) => misfitsOf(placed.room, guest, rules).length === 0;
  const inOrder = [...waiting.filter(isFor), ...waiting.filter((guest) => !isFor(guest))];
  return (
    <section ref={root} aria-labelledby="bed-panel-place">
      <Stack gap="sm">
        <Text component="h3" id="bed-panel-place" fw={650} m={0}>
          {t('bedPanel.placeTitle')}
        </Text>
        {waiting.length === 0 ? (
          <Text c="dimmed">{t('bedPanel.noneWaiting')}</Text>
        ) : (
          <Stack component="ul" gap="xs" p={0} m={0} {...steadyPress}>
            {inOrder.map((guest) => (
              <WaitingGuest key={guest.id} guest={guest} placed={placed} site={site} onPlaced={onPlaced} />
            ))}
          </Stack>
        )}
        <Group>{newGuest}</Group>
      </Stack>
    </section>
  );
}

function WaitingGuest({
  guest,
  placed,
  site,
  onPlaced,
}: Pick<WaitingProps, 'placed' | 'site' | 'onPlaced'> & { guest: Guest }) {
  const { t } = useTranslation('houses');
  const names = useCatalogNames();
  const rules = usePlacementRules(site);
  const textsOf = useFitTexts(rules);
  const { give, update, open } = useGiveBed('accept', guest, site);
  const { bed, room } = placed;
  const fit = rankBeds([room], guest, rules).find((one) => one.bed.id === bed.id);
  const { fit: why, warning } = fit ? textsOf(fit, false) : { fit: null, warning: null };
  return (
    <Paper component="li" withBorder p="sm" style={{ listStyle: 'none' }}>
      <Group justify="space-between" gap="xs">
        <Stack gap={0} flex="1 1 180px" miw={0}>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {guest.displayName}
          </Text>
          <Text size="sm" c="dimmed">
            {serviceNames(guest, names.service)}
          </Text>
          {why ? (
            <Text size="sm" c="var(--berth-vacant)">
              {why}
            </Text>
          ) : null}
          {warning ? (
            <Text size="sm" c="var(--berth-pending)">
              {warning}
            </Text>
          ) : null}
          {guest.expiresAt === null ? null : <HoldLeft expiresAt={guest.expiresAt} />}
        </Stack>
        <ReasonTooltip reason={isRefused(room, guest, rules) ? warning : null}>
          <Button
            size="compact-md"
            leftSection={<BedDouble size={16} aria-hidden />}
            loading={open !== undefined || update.isPending}
            aria-label={t('bedPanel.placeLabel', { guest: guest.displayName, bed: bed.name })}
            onClick={() => give(placed, { onPlaced })}
          >
            {t('bedPanel.place')}
          </Button>
        </ReasonTooltip>
      </Group>
      <CommandWait state={open?.state} />
      <PlacementRefusal error={update.error} guest={guest} site={site} bedName={bed.name} />
    </Paper>
  );
}

/** Takes the bed out of use, with a reason, or back into it; nothing while somebody is in it. */
function OutOfUse({ placed: { bed }, site }: { placed: PlacedBed; site: Site }) {
  const { t } = useTranslation('houses');
  const canEdit = useCan('houses.edit', { site });
  const enable = useEnableBed(site.id);
  const [isEnabling, setEnabling] = useState(false);
  const [dialog, setDialog] = useState<{ kind: 'disable-bed'; bed: Schemas['Bed'] } | null>(null);
  if (!canEdit || bed.guest) return null;
  const ask = () => setDialog({ kind: 'disable-bed', bed });
  return (
    <>
      {bed.disabled ? (
        <Group gap="sm" grow>
          <Button variant="default" onClick={ask}>
            {t('bedMenu.outage')}
          </Button>
          <Button
            loading={isEnabling}
            onClick={() => {
              setEnabling(true);
              void enable(bed).finally(() => setEnabling(false));
            }}
          >
            {t(enableLabelKey(bed))}
          </Button>
        </Group>
      ) : (
        <Group>
          <Button variant="default" leftSection={<Ban size={18} aria-hidden />} onClick={ask}>
            {t('bedMenu.disable')}
          </Button>
        </Group>
      )}
      <HousesDialogs site={site} subject={dialog} onClose={() => setDialog(null)} />
    </>
  );
}
