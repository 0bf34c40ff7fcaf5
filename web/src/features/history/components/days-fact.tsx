import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { isOverstay } from '../history.utils';
import classes from './history.module.css';

interface DaysFactProps {
  guest: Schemas['Guest'];
  site: Pick<Schemas['SiteDetails'], 'lengthOfStayDaysMax'>;
}

/** How long a guest has stayed; red, and in words, above the longest stay of the site. */
export function DaysFact({ guest, site }: DaysFactProps) {
  const { t } = useTranslation(['history', 'common']);
  const days = t('common:daysStayed', { count: guest.daysStayed });
  if (!isOverstay(guest, site)) return days;
  return (
    <span className={classes.overstay}>
      {days} – {t('overstay', { count: site.lengthOfStayDaysMax ?? 0 })}
    </span>
  );
}
