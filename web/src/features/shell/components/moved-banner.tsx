import { useTranslation } from 'react-i18next';
import { usePublicSettings } from '../api/public-settings';
import classes from './shell.module.css';

/** The yellow line on every page: the product moved; the new address opens in a new tab (spec A section 1). */
export function MovedBanner() {
  const { t } = useTranslation('shell');
  const address = usePublicSettings()?.movedAddress;
  if (!address || !/^https?:\/\//.test(address)) return null;
  return (
    <aside className={classes.banner} aria-label={t('moved.label')}>
      <span>{t('moved.text')}</span>
      <a href={address} target="_blank" rel="noreferrer">
        {t('moved.link', { address: address.replace(/^https?:\/\//, '').replace(/\/$/, '') })}
        <span className="berth-hidden"> ({t('newTab')})</span>
      </a>
    </aside>
  );
}
