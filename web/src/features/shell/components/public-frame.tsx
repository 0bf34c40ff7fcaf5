import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Footer } from './footer';
import { Logo } from './logo';
import { MovedBanner } from './moved-banner';
import { PreferenceButtons } from './preference-buttons';
import classes from './shell.module.css';

interface PublicFrameProps {
  /** At the end of the header. */
  tools?: ReactNode;
  children: ReactNode;
}

/** The frame of the screens that need no sign-in. */
export function PublicFrame({ tools, children }: PublicFrameProps) {
  const { t } = useTranslation('shell');
  return (
    <div className={classes.frame}>
      <a href="#main" className={classes.skip}>
        {t('skip')}
      </a>
      <MovedBanner />
      <header className={classes.header}>
        <span className={classes.lead} data-toast-area>
          <Link to="/" className={classes.logoLink} aria-label={t('homeLink')} preload={false}>
            <Logo />
          </Link>
        </span>
        <PreferenceButtons />
        {tools ? <span className={classes.tools}>{tools}</span> : null}
      </header>
      <main id="main" tabIndex={-1} className={classes.publicMain}>
        {children}
      </main>
      <Footer />
    </div>
  );
}
