import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatPhone } from '@/lib/phone';
import { usePublicSettings } from '../api/public-settings';
import classes from './shell.module.css';

/** Support phone and the privacy notice (spec A section 1), and the other pages for everyone. */
export function Footer() {
  const { t } = useTranslation('shell');
  const phone = usePublicSettings()?.supportPhone;
  return (
    <footer className={classes.footer} data-tour="footer">
      <span>
        {phone ? (
          <>
            {t('footer.support')}{' '}
            <a href={`tel:${phone}`} data-touch>
              {formatPhone(phone) || phone}
            </a>
          </>
        ) : null}
      </span>
      <nav className={classes.footerLinks} aria-label={t('footer.label')}>
        <Link to="/privacy-policy">{t('footer.privacy')}</Link>
        <Link to="/terms-and-conditions">{t('footer.terms')}</Link>
        <Link to="/faq">{t('footer.faq')}</Link>
        <Link to="/contact-us">{t('help.contact')}</Link>
      </nav>
    </footer>
  );
}
