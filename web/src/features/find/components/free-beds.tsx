import { BedDouble } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { StatusBadge } from '@/components/status-badge';
import { serverNow } from '@/lib/clock';
import { formatMoment } from '@/lib/time';
import classes from './find.module.css';

interface FreeBedsProps {
  site: Pick<Schemas['PublicSite'], 'availableBeds' | 'asOf'>;
  /** Says that the count is of all types of beds, where one type is looked for and there are others. */
  countsOtherTypes?: boolean;
}

/** How many beds are free at a site, and when that was true. A hold is on no bed: free beds of one type cannot be told. */
export function FreeBeds({ site, countsOtherTypes = false }: FreeBedsProps) {
  const { t, i18n } = useTranslation('find');
  const count = site.availableBeds;
  return (
    <span className={classes.row}>
      <StatusBadge tone={count > 0 ? 'brand' : 'gray'} icon={<BedDouble size={14} aria-hidden />}>
        {count > 0 ? t(countsOtherTypes ? 'site.freeAllTypes' : 'site.free', { count }) : t('site.full')}
      </StatusBadge>
      <time className={classes.dim} dateTime={site.asOf}>
        {t('site.asOf', { time: formatMoment(site.asOf, i18n.language, serverNow()) })}
      </time>
    </span>
  );
}
