import { ActionIcon, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { ClosedByBack } from '@/components/dialog/dialog-stack';
import { lazyNamed } from '@/components/lazy-named';
import type { Language } from '@/lib/preferences';
import type { LiveStatus } from '@/live/live-connection';
import { Footer } from './footer';
import { LogoutLink, ProfileLink } from './account-links';
import { HelpMenu } from './help-menu';
import { LiveBadge } from './live-badge';
import { Logo } from './logo';
import { MovedBanner } from './moved-banner';
import { PreferenceButtons } from './preference-buttons';
import classes from './shell.module.css';
import { NavigationLinks } from './sidebar';

/** No screen waits for these. */
const InvitationNotice = lazyNamed(() => import('./invitation-notice'), 'InvitationNotice', { optional: true });
const KeptFocus = lazyNamed(() => import('./kept-focus'), 'KeptFocus', { optional: true });
const Shortcuts = lazyNamed(() => import('./shortcuts'), 'Shortcuts', { optional: true });

interface AppFrameProps {
  liveStatus: LiveStatus;
  /** Reservations that wait for a decision at the user's sites. */
  waiting?: number | undefined;
  /** Opens the search. */
  search?: ReactNode;
  onExplain: () => void;
  /** The user chose a language. */
  onLanguage?: (language: Language) => void;
  children: ReactNode;
}

/** Sidebar, header, banner and footer around every signed-in screen; on a phone the sidebar is a drawer. */
export function AppFrame({ liveStatus, waiting, search, onExplain, onLanguage, children }: AppFrameProps) {
  const { t } = useTranslation(['shell', 'common']);
  const user = useUser();
  const [isDrawerOpen, drawer] = useDisclosure(false);
  const [isSheetOpen, sheet] = useDisclosure(false);
  return (
    <div className={classes.frame}>
      <a href="#main" className={classes.skip}>
        {t('skip')}
      </a>
      <MovedBanner />
      <header className={classes.header}>
        <span className={classes.narrow}>
          <ActionIcon size={44} aria-label={t('navigation.open')} aria-expanded={isDrawerOpen} onClick={drawer.open}>
            <MenuIcon size={22} aria-hidden />
          </ActionIcon>
        </span>
        <span className={classes.lead} data-toast-area>
          <Link to="/" className={classes.logoLink} aria-label={t('homeLink')} preload={false}>
            <Logo />
          </Link>
        </span>
        {search}
        <LiveBadge status={liveStatus} />
        <HelpMenu onExplain={onExplain} onShortcuts={sheet.open} />
        <span className={classes.wide}>
          <PreferenceButtons onLanguage={onLanguage} />
          <span className={classes.who} title={user.email}>
            {user.firstName || user.email}
          </span>
          <ProfileLink />
          <LogoutLink />
        </span>
      </header>
      <KeptFocus />
      <Shortcuts isOpen={isSheetOpen} onOpen={sheet.open} onClose={sheet.close} />
      {user.pendingInvitations > 0 ? <InvitationNotice count={user.pendingInvitations} /> : null}
      <div className={classes.body}>
        <div className={classes.sidebar}>
          <div className={classes.sidebarInner}>
            <NavigationLinks waiting={waiting} />
          </div>
        </div>
        <div className={classes.content}>
          <main id="main" tabIndex={-1} className={classes.main}>
            {children}
          </main>
          <Footer />
        </div>
      </div>
      <Drawer
        opened={isDrawerOpen}
        onClose={drawer.close}
        size={280}
        title={<Logo />}
        closeButtonProps={{ 'aria-label': t('common:action.close'), size: 44 }}
      >
        <NavigationLinks waiting={waiting} onNavigate={drawer.close} />
        <div className={classes.drawerTools}>
          <span className={classes.who}>{user.email}</span>
          <PreferenceButtons wide onLanguage={onLanguage} />
          <ProfileLink onNavigate={drawer.close} />
          <LogoutLink onNavigate={drawer.close} />
        </div>
      </Drawer>
      {isDrawerOpen ? <ClosedByBack onBack={drawer.close} /> : null}
    </div>
  );
}
