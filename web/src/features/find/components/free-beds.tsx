import { BedDouble } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { StatusBadge } from '@/components/status-badge';
import { serverNow } from '@/lib/clock';
import { formatMoment } from '@/lib/time';
import classes from './find.module.css';

/** How many beds are free at a site, and when that was true. */
export function FreeBeds({ site }: { site: Pick<Schemas['PublicSite'], 'availableBeds' | 'asOf'> }) {
  const { t, i18n } = useTranslation('find');
  const count = site.availableBeds;
  return (
    <span className={classes.row}>
      <StatusBadge tone={count > 0 ? 'brand' : 'gray'} icon={<BedDouble size={14} aria-hidden />}>
        {count > 0 ? t('site.free', { count }) : t('site.full')}
      </StatusBadge>
      <time className={classes.dim} dateTime={site.asOf}>
        {t('site.asOf', { time: formatMoment(site.asOf, i18n.language, serverNow()) })}
      </time>
    </span>
  );
}
