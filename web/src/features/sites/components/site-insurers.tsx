import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { NameMark } from '@/components/name-mark';
import { StatusBadge } from '@/components/status-badge';
import classes from './site-information.module.css';

/** The insurers a commercial site takes, as logo cards; top ones come first from the server. */
export function SiteInsurers({ insurers }: { insurers: Schemas['SiteDetails']['insuranceCompanies'] }) {
  const { t } = useTranslation('site-info');
  if (insurers.length === 0) return <Text c="dimmed">{t('noInsurances')}</Text>;
  return (
    <ul className={classes.insurers}>
      {insurers.map(({ id, name, logoPath, isPrimary }) => (
        <li key={id} className={classes.insurer}>
          <NameMark name={name} imagePath={logoPath} size={48} />
          <div>
            <Text fw={600}>{name}</Text>
            {isPrimary ? <StatusBadge tone="brand">{t('topInsurance')}</StatusBadge> : null}
          </div>
        </li>
      ))}
    </ul>
  );
}
