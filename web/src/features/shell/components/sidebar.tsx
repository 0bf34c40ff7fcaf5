import { Link, useParams, useRouter } from '@tanstack/react-router';
import {
  Building2,
  CalendarClock,
  ConciergeBell,
  CreditCard,
  HeartHandshake,
  History,
  LayoutDashboard,
  type LucideIcon,
  Receipt,
  ScrollText,
  ShieldPlus,
  UsersRound,
} from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { type NavigationLink, navigationOf } from '../navigation';
import classes from './shell.module.css';

const ICONS: Record<NavigationLink['key'], LucideIcon> = {
  today: ConciergeBell,
  organizations: Building2,
  nonCommercial: HeartHandshake,
  commercial: Building2,
  dashboard: LayoutDashboard,
  allInsurers: ShieldPlus,
  auditLog: ScrollText,
  reservations: CalendarClock,
  history: History,
  managedSites: UsersRound,
  cards: CreditCard,
  billing: Receipt,
};

interface NavigationLinksProps {
  /** Reservations that wait for a decision. */
  waiting?: number | undefined;
  onNavigate?: () => void;
}

/** The screens that the sidebar leads to, for the user and the organization in the address. */
export function useNavigation(): NavigationLink[] {
  const user = useUser();
  const { organizationId } = useParams({ strict: false });
  return navigationOf(user, Object.values(useRouter().routesById), organizationId);
}

/** The links of the sidebar and of the drawer. */
export function NavigationLinks({ waiting = 0, onNavigate }: NavigationLinksProps) {
  const { t } = useTranslation('shell');
  const waitingId = useId();
  return (
    <nav aria-label={t('navigation.label')} data-tour="navigation">
      <ul className={classes.links}>
        {useNavigation().map(({ key, path }) => {
          const Icon = ICONS[key];
          const hasCount = (key === 'today' || key === 'reservations') && waiting > 0;
          const countId = `${waitingId}-${key}`;
          return (
            <li key={key}>
              <Link
                to={path}
                className={classes.link}
                onClick={onNavigate}
                aria-describedby={hasCount ? countId : undefined}
              >
                <Icon size={20} aria-hidden />
                {t(`navigation.${key}`)}
                {hasCount ? (
                  <span className={classes.waiting} aria-hidden>
                    {waiting}
                  </span>
                ) : null}
              </Link>
              {hasCount ? (
                <span id={countId} hidden>
                  {t('navigation.waiting', { count: waiting })}
                </span>
              ) : null}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
