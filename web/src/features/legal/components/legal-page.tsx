import { Alert, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LegalText } from '@/components/legal-text';
import { PageHeader } from '@/components/page-header';
import { usePublicSettings } from '@/features/shell/api/public-settings';
import classes from './legal.module.css';

/** A legal text as a page of its own. */
export function LegalPage({ document }: { document: 'terms' | 'agreement' | 'privacy' }) {
  const { t } = useTranslation('legal');
  const isDemo = usePublicSettings()?.demo === true;
  return (
    <div className={classes.page}>
      <PageHeader title={t(`${document}.title`)} />
      <Stack gap="lg">
        {isDemo ? <Alert color="gray">{t('demonstration')}</Alert> : null}
        <LegalText document={document} />
      </Stack>
    </div>
  );
}
