import { Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Languages, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { changeLanguage } from '@/i18n/i18n';
import { useAddress } from '../use-address';
import classes from './find.module.css';
import { ViewLink } from './view-link';

/** The frame of every view: whom to call in an emergency, the two ways in, language, light or dark. */
export function FindFrame({ children }: { children: ReactNode }) {
  const { t, i18n } = useTranslation(['find', 'shell']);
  const { view } = useAddress();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const language = i18n.language === 'es' ? 'en' : 'es';
  const look = { variant: 'subtle', color: 'gray', size: 'sm', px: 'xs' } as const;
  const isReservation = view.name === 'reservation';
  return (
    <div className={classes.frame}>
      <a href="#main" className={classes.skip}>
        {t('skip')}
      </a>
      <header>
        <p className={classes.crisis}>{t('emergency')}</p>
        <div className={classes.header}>
          <nav className={classes.nav} aria-label={t('nav')}>
            <ViewLink to={{ name: 'search' }} isCurrent={!isReservation}>
              {t('toSearch')}
            </ViewLink>
            <ViewLink to={{ name: 'reservation' }} isCurrent={isReservation}>
              {t('toReservation')}
            </ViewLink>
          </nav>
          <span className={classes.tools}>
            <Button
              {...look}
              lang={language}
              leftSection={<Languages size={18} aria-hidden />}
              onClick={() => void changeLanguage(language)}
            >
              {t(`shell:language.${language}`)}
            </Button>
            <Button
              {...look}
              aria-label={t(scheme === 'dark' ? 'shell:scheme.toLight' : 'shell:scheme.toDark')}
              onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
            >
              {scheme === 'dark' ? <Sun size={18} aria-hidden /> : <Moon size={18} aria-hidden />}
            </Button>
          </span>
        </div>
      </header>
      <main id="main" tabIndex={-1} className={classes.main}>
        {children}
      </main>
    </div>
  );
}
