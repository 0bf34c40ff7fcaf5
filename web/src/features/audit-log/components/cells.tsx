import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Breakable } from '@/components/breakable';
import { knownRole, momentOf } from '../audit-log.utils';
import classes from './audit-log.module.css';

/** When it was, in the zone of whoever reads. */
export function Moment({ at }: { at: string }) {
  const { i18n } = useTranslation();
  const { day, time } = momentOf(at, i18n.language);
  return (
    <time dateTime={at} className={classes.moment}>
      {day} <span className={classes.second}>{time}</span>
    </time>
  );
}

/** A role by the words of the product; one that is not known any more stands as it was written down. */
export function RoleName({ role }: { role: string | null }) {
  const { t } = useTranslation('audit-log');
  const known = knownRole(role);
  return known ? t(`role.${known}`) : (role ?? t('none'));
}

/** Two things that belong together, one below the other. Neither turns the other around, whatever direction it is written in. */
export function Pair({ first, second }: { first: ReactNode; second?: string | undefined }) {
  return (
    <span className={classes.pair}>
      {typeof first === 'string' ? <Breakable text={first} /> : first}
      {second ? <bdi className={classes.second}>{second}</bdi> : null}
    </span>
  );
}
