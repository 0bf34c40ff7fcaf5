import { Button, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmailLink, PhoneLink } from '@/components/contact-link';
import { Dialog } from '@/components/dialog/dialog';
import { organizationTypeFor } from '@/lib/organization-types';
import type { DashboardSite } from '../dashboard.utils';
import classes from './dashboard.module.css';
import { OccupancyPanel } from './occupancy-panel';

/** The details of a row: whose site it is, how to reach it, and how full its beds were. */
export function SiteDialog({ subject, onClose }: { subject: DashboardSite | null; onClose: () => void }) {
  const { t } = useTranslation(['dashboard', 'common']);
  return (
    <Dialog inAddress subject={subject} width={800} title={({ name }) => name} onClose={onClose}>
      {(site) => (
        <Stack gap="lg">
          <dl className={classes.facts}>
            <dt>{t('organization')}</dt>
            <dd>{site.organizationName}</dd>
            <dt>{t('column.contactWeb')}</dt>
            <dd>{site.contactWeb || t('common:notAvailable')}</dd>
            <dt>{t('column.contactPhone')}</dt>
            <dd>
              <PhoneLink phone={site.contactPhone} />
            </dd>
            <dt>{t('column.contactEmail')}</dt>
            <dd>
              <EmailLink email={site.contactEmail} />
            </dd>
            <dt>{t('column.countOfBeds')}</dt>
            <dd>{t('bedsOf', { vacant: site.countOfVacantBeds, count: site.countOfBeds })}</dd>
          </dl>
          <OccupancyPanel title={t('occupancy.site')} siteId={site.id} />
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
                    organizationType: organizationTypeFor(true, site.isCommercial),
                    organizationId: site.organizationId,
                    siteId: site.id,
                  }}
                />
              )}
            >
              {t('viewSite')}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}
