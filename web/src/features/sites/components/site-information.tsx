import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Eye, EyeOff, Pencil } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { EmailLink, PhoneLink } from '@/components/contact-link';
import { FactList } from '@/components/fact-list';
import { StatusBadge } from '@/components/status-badge';
import { useCatalogNames } from '@/components/use-catalog-names';
import { zoneNameAllYear } from '@/lib/time';
import { intakeHours, orderedPhotos, serviceGroups, shownAddress } from '../site-information.utils';
import { MoreText } from './more-text';
import { SiteInsurers } from './site-insurers';
import classes from './site-information.module.css';
import { SitePhotos } from './site-photos';

type Site = Schemas['SiteDetails'];

/** Everything a site tells about itself, to be read (spec A section 2; spec B section 2, Info tab). */
export function SiteInformation({ site }: { site: Site }) {
  const { t } = useTranslation('site-info');
  const mayEdit = useCan('site.edit', { site });
  const isHidden = site.isDisabled || site.organizationIsDisabled;
  return (
    <Stack gap="md">
      {mayEdit ? (
        <Group justify="flex-end">
          <Button
            variant="default"
            leftSection={<Pencil size={16} aria-hidden />}
            renderRoot={(props) => <Link {...props} to="/sites/$siteId/edit" params={{ siteId: site.id }} />}
          >
            {t('editSite')}
          </Button>
        </Group>
      ) : null}
      <div className={classes.grid}>
        <Panel title={t('basic')}>
          <FactList
            facts={[
              { label: t('name'), value: site.name },
              { label: t('alias'), value: site.alias },
              { label: t('description'), value: <MoreText text={site.description} /> },
              {
                label: t('visibility'),
                value: isHidden ? (
                  <StatusBadge tone="gray" icon={<EyeOff size={14} aria-hidden />}>
                    {t(site.isDisabled ? 'hidden' : 'hiddenWith')}
                  </StatusBadge>
                ) : (
                  <StatusBadge tone="brand" icon={<Eye size={14} aria-hidden />}>
                    {t('shown')}
                  </StatusBadge>
                ),
              },
            ]}
          />
        </Panel>
        <Contacts site={site} />
        <Panel title={t('photos')} isWide>
          <SitePhotos siteName={site.name} photos={orderedPhotos(site.images)} />
        </Panel>
        <Intake site={site} />
        <Other site={site} />
        <Services site={site} />
        {site.isCommercial ? (
          <Panel title={t('insurances')} isWide>
            <SiteInsurers insurers={site.insuranceCompanies} />
          </Panel>
        ) : null}
      </div>
    </Stack>
  );
}

function Panel({ title, isWide = false, children }: { title: string; isWide?: boolean; children: ReactNode }) {
  const id = useId();
  return (
    <section className={`${classes.panel} ${isWide ? classes.wide : ''}`} aria-labelledby={id}>
      <Title order={2} size="h3" id={id}>
        {title}
      </Title>
      {children}
    </section>
  );
}

function Contacts({ site }: { site: Site }) {
  const { t } = useTranslation('site-info');
  return (
    <Panel title={t('contacts')}>
      <FactList
        facts={[
          { label: t('address'), value: site.address },
          {
            label: t('phone'),
            value: site.contactPhone ? <PhoneLink phone={site.contactPhone} /> : null,
          },
          {
            label: t('web'),
            value: site.contactWeb ? (
              <Anchor href={site.contactWeb} target="_blank" rel="noreferrer">
                {shownAddress(site.contactWeb)}
                <span className="berth-hidden"> ({t('newTab')})</span>
              </Anchor>
            ) : null,
          },
          {
            label: t('email'),
            value: site.contactEmail ? <EmailLink email={site.contactEmail} /> : null,
          },
          { label: t('admin'), value: adminOf(site) },
        ]}
      />
    </Panel>
  );
}

/** Whom the site was created with; the server tells it to those who may edit the site. */
function adminOf({ adminEmail, adminFirstName, adminLastName }: Site): ReactNode {
  if (!adminEmail) return null;
  return (
    <>
      {[adminFirstName, adminLastName].filter(Boolean).join(' ')} <EmailLink email={adminEmail} />
    </>
  );
}

function Intake({ site }: { site: Site }) {
  const { t, i18n } = useTranslation(['site-info', 'common']);
  return (
    <Panel title={t('intake')}>
      <Text c="dimmed" size="sm">
        {t('zone', { zone: zoneNameAllYear(i18n.language, site.timeZone) })}
      </Text>
      <FactList
        facts={site.intakePeriods.map((period) => {
          const hours = intakeHours(period, i18n.language);
          const value = !hours
            ? t('noIntake')
            : hours.kind === 'allDay'
              ? t('common:allDay')
              : t('range', { from: hours.from, to: hours.to });
          return { label: t(`period.${period.timePeriod}`), value: <span className="tabular">{value}</span> };
        })}
      />
    </Panel>
  );
}

function Other({ site }: { site: Site }) {
  const { t } = useTranslation('site-info');
  const names = useCatalogNames();
  const methods = site.nonCommercialPaymentMethods.map(names.payment);
  // Commercial sites have none of their own: their organization says how guests pay (spec B section 2).
  const payment = site.isCommercial
    ? []
    : [{ label: t('payment'), value: methods.length > 0 ? <Chips names={methods} /> : t('noPayment') }];
  return (
    <Panel title={t('other')}>
      <FactList
        facts={[
          { label: t('languages'), value: <Chips names={site.languages.map(names.language)} /> },
          { label: t('screening'), value: t('hours', { count: site.screeningPeriod.totalHours }) },
          ...payment,
        ]}
      />
    </Panel>
  );
}

function Services({ site }: { site: Site }) {
  const { t } = useTranslation('site-info');
  const names = useCatalogNames();
  const groups = serviceGroups(site.services);
  return (
    <Panel title={t('services')} isWide>
      {groups.length === 0 ? <Text c="dimmed">{t('noServices')}</Text> : null}
      {groups.map(({ category, services }) => (
        <div key={category} className={classes.group}>
          <Title order={3} fz="md" lh={1.4667}>
            {t(`category.${category}`)}
          </Title>
          <Chips names={services.map(names.service)} />
        </div>
      ))}
    </Panel>
  );
}

function Chips({ names }: { names: readonly string[] }) {
  return (
    <ul className={classes.chips}>
      {names.map((name) => (
        <li key={name} className={classes.chip}>
          {name}
        </li>
      ))}
    </ul>
  );
}
