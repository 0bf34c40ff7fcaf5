import {
  BedDouble,
  Building2,
  CalendarPlus,
  CheckCheck,
  ClipboardList,
  type LucideIcon,
  Move,
  PanelLeft,
  User,
  UserRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { GuestStatusBadge } from '@/features/guests/ui/guest-status';
import { formatPhone } from '@/lib/phone';
import { type Match, matchOf, phoneMatchOf } from '../match.utils';
import type { CommandKind, PaletteItem } from '../palette.utils';
import classes from './palette.module.css';

const ICONS: Record<PaletteItem['kind'], LucideIcon> = {
  guest: UserRound,
  waiting: ClipboardList,
  accept: CheckCheck,
  newGuest: CalendarPlus,
  moveGuests: Move,
  site: BedDouble,
  organization: Building2,
  user: User,
  page: PanelLeft,
  command: CheckCheck,
};
const COMMAND_ICONS: Record<CommandKind, LucideIcon> = {
  accept: CheckCheck,
  newGuest: CalendarPlus,
  moveGuests: Move,
};

interface PaletteOptionProps {
  id: string;
  item: PaletteItem;
  /** The text whose match is marked. */
  typed: string;
  isActive: boolean;
  onActivate: () => void;
  onChoose: () => void;
}

/** One line of the results. The field keeps the focus; a line is chosen by a click, or by Enter in the field. */
export function PaletteOption({ id, item, typed, isActive, onActivate, onChoose }: PaletteOptionProps) {
  const { label, detail, end } = useLine(item, typed);
  const Icon = item.kind === 'command' ? COMMAND_ICONS[item.command] : ICONS[item.kind];
  return (
    // The keys of the list are those of the field.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className={classes.option}
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={isActive ? undefined : onActivate}
      onClick={onChoose}
    >
      <Icon size={18} aria-hidden className={classes.icon} />
      <span className={classes.words}>
        <span className={classes.label}>{label}</span>
        {detail ? <span className={classes.detail}>{detail}</span> : null}
      </span>
      {end}
    </div>
  );
}

interface Line {
  label: ReactNode;
  detail?: ReactNode;
  end?: ReactNode;
}

/** The words of a line. */
function useLine(item: PaletteItem, typed: string): Line {
  const { t } = useTranslation(['search', 'users']);
  const mark = (text: string) => <Marked text={text} match={matchOf(text, typed)} />;
  switch (item.kind) {
    case 'guest':
      return {
        label: mark(item.guest.displayName),
        detail: <GuestDetail guest={item.guest} typed={typed} />,
        end: <GuestStatusBadge guest={item.guest} />,
      };
    case 'waiting':
      return {
        label: mark(item.person.displayName),
        detail: <GuestDetail guest={item.person} typed={typed} />,
        end: <span className={classes.end}>{t(item.person.hasOffer ? 'offered' : 'waits')}</span>,
      };
    case 'accept':
      return {
        label: t('acceptGuest', { guest: item.guest.displayName }),
        detail: <GuestDetail guest={item.guest} typed={typed} />,
      };
    case 'newGuest':
      return { label: t('newGuestAt', { site: item.site.name }), detail: item.site.organizationName };
    case 'moveGuests':
      return { label: t('moveGuestsAt', { site: item.site.name }), detail: item.site.organizationName };
    case 'site':
      return {
        label: mark(item.site.name),
        detail: item.site.organizationName,
        end: <span className={classes.end}>{t('available', { count: item.site.available })}</span>,
      };
    case 'organization':
      return {
        label: mark(item.organization.name),
        detail: t(item.organization.isCommercial ? 'commercial' : 'nonCommercial'),
      };
    case 'user': {
      const { name, email, role, siteName, organizationName } = item.user;
      const place = siteName ?? organizationName;
      return {
        label: mark(name || email),
        detail: [name ? email : '', t(`users:role.${role}`), place].filter(Boolean).join(' · '),
      };
    }
    case 'page':
      return { label: mark(item.page.label) };
    case 'command':
      return { label: `${t(`command.${item.command}`)}…` };
  }
}

/** What is said of a guest, and of a person on a waitlist, who has no bed. */
type Findable = Pick<Schemas['FoundGuest'], 'phone' | 'siteName' | 'roomName' | 'bedName'>;

/** Where the guest is, and the phone number for those who may see it. */
function GuestDetail({ guest, typed }: { guest: Findable; typed: string }) {
  const { phone, roomName, bedName, siteName } = guest;
  const place = [siteName, roomName, bedName].filter(Boolean).join(' · ');
  if (!phone) return place;
  const written = formatPhone(phone);
  return (
    <>
      {`${place} · `}
      <span className={classes.phone}>
        <Marked text={written} match={phoneMatchOf(written, typed)} />
      </span>
    </>
  );
}

/** A text with the part that was typed. */
function Marked({ text, match }: { text: string; match: Match | undefined }) {
  if (!match) return text;
  return (
    <>
      {text.slice(0, match.from)}
      <mark className={classes.mark}>{text.slice(match.from, match.to)}</mark>
      {text.slice(match.to)}
    </>
  );
}
