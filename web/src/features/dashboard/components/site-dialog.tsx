import { Button, Group, Modal, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLast } from '@/components/use-last';
import { organizationTypeFor } from '@/lib/organization-types';
import { formatPhone } from '@/lib/phone';
import type { DashboardSite } from '../dashboard.utils';
import classes from './dashboard.module.css';
import { OccupancyPanel } from './occupancy-panel';

/** The details of a row: whose site it is, how to reach it, and how full its beds were. */
export function SiteDialog({ site, onClose }: { site: DashboardSite | null; onClose: () => void }) {
  const { t } = useTranslation(['dashboard', 'common']);
  const shown = useLast(site);
  return (
    <Modal
      opened={site !== null}
      onClose={onClose}
      title={shown?.name ?? ''}
      size={800}
      closeButtonProps={{ 'aria-label': t('common:action.close') }}
    >
      {shown ? (
        <Stack gap="lg">
          <dl className={classes.facts}>
            <dt>{t('organization')}</dt>
            <dd>{shown.organizationName}</dd>
            <dt>{t('column.contactWeb')}</dt>
            <dd>{shown.contactWeb || t('common:notAvailable')}</dd>
            <dt>{t('column.contactPhone')}</dt>
            <dd>{formatPhone(shown.contactPhone)}</dd>
            <dt>{t('column.contactEmail')}</dt>
            <dd>{shown.contactEmail}</dd>
            <dt>{t('column.countOfBeds')}</dt>
            <dd>{t('bedsOf', { vacant: shown.countOfVacantBeds, count: shown.countOfBeds })}</dd>
          </dl>
          <OccupancyPanel title={t('occupancy.site')} siteId={shown.id} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t('common:action.close')}
            </Button>
            <Button
              rightSection={<ArrowRight size={16} aria-hidden />}
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/$organizationType/$organizationId/$siteId"
                  params={{
                    organizationType: organizationTypeFor(true, shown.isCommercial),
                    organizationId: shown.organizationId,
                    siteId: shown.id,
                  }}
                />
              )}
            >
              {t('viewSite')}
            </Button>
          </Group>
        </Stack>
      ) : null}
    </Modal>
  );
}
