import { CloseButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readPreference, writePreference } from '@/lib/preferences';
import { usePublicSettings } from '../api/public-settings';
import classes from './shell.module.css';

const isAddress = (text: string | null | undefined): text is string => /^https?:\/\//.test(text ?? '');

/** What the server wrote into the page, so that the banner does not push the page down when the settings arrive. */
function addressOfPage(): string | null {
  return document.querySelector('meta[name="berth-moved-address"]')?.getAttribute('content') ?? null;
}

/**
 * The yellow line on every page: the product moved; the new address opens in a new tab (spec A section 1). Closed, it stays
 * away on this device until the address is another one.
 */
export function MovedBanner() {
  const { t } = useTranslation('shell');
  const [closed, setClosed] = useState(() => readPreference('bannerClosed'));
  const settings = usePublicSettings();
  const address = settings ? settings.movedAddress : addressOfPage();
  if (!isAddress(address) || closed === address) return null;
  return (
    <aside className={classes.banner} aria-label={t('moved.label')}>
      <span>{t('moved.text')}</span>
      <a href={address} target="_blank" rel="noreferrer">
        {t('moved.link', { address: address.replace(/^https?:\/\//, '').replace(/\/$/, '') })}
        <span className="berth-hidden"> ({t('newTab')})</span>
      </a>
      <CloseButton
        className={classes.bannerClose}
        aria-label={t('moved.close')}
        onClick={() => {
          writePreference('bannerClosed', address);
          setClosed(address);
        }}
      />
    </aside>
  );
}
