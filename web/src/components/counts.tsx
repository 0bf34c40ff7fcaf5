import { useTranslation } from 'react-i18next';
import classes from './counts.module.css';

interface CountsProps {
  /** Vacant beds that no reservation holds. */
  available: number;
  vacant: number;
  pending: number;
  occupied: number;
  /** Shown only when some are. */
  disabled?: number;
}

/**
 * The big numbers of a site, at the same place on every site screen (DESIGN section 10). What is available leads: the vacant
 * beds that no reservation holds (DESIGN section 3).
 */
export function Counts({ available, vacant, pending, occupied, disabled = 0 }: CountsProps) {
  const { t } = useTranslation();
  const items = [
    { kind: 'available', value: available },
    { kind: 'vacant', value: vacant },
    { kind: 'pending', value: pending },
    { kind: 'occupied', value: occupied },
    ...(disabled > 0 ? [{ kind: 'disabled', value: disabled } as const] : []),
  ] as const;
  return (
    <dl className={classes.list} aria-label={t('counts.label')} data-tour="counts">
      {items.map(({ kind, value }) => (
        <div key={kind} className={classes.item} data-kind={kind}>
          <dt className={classes.label}>
            <span className={classes.mark} aria-hidden />
            {t(`counts.${kind}`, { count: value })}
          </dt>
          <dd className={classes.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
