import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { formatNumber } from '@/lib/format';
import classes from './dashboard.module.css';

interface SiteTotalsProps {
  totals: Schemas['DashboardSiteTotals'];
  /** Whether they are those of the selected rows, not of all sites. */
  isSelection: boolean;
}

const NAMES = ['sites', 'rooms', 'beds', 'vacantBeds', 'filledBeds'] as const;

/** Total Sites, Rooms, Beds, Vacant Beds, Filled Beds: of the selected rows, or of all sites (spec A section 2). */
export function SiteTotals({ totals, isSelection }: SiteTotalsProps) {
  const { t, i18n } = useTranslation('dashboard');
  return (
    <>
      <dl
        className={classes.totals}
        aria-label={t(isSelection ? 'totalsOfSelection' : 'totalsOfAll')}
        data-tour="dashboard-totals"
      >
        {NAMES.map((name) => (
          <div key={name} className={classes.total}>
            <dt>{t(`total.${name}`)}</dt>
            <dd>{formatNumber(totals[name], i18n.language)}</dd>
          </div>
        ))}
      </dl>
      <Text size="sm" c="dimmed" mt={-16}>
        {t('filledHint')}
      </Text>
    </>
  );
}
