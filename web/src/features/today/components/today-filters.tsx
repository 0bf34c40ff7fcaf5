import { NativeSelect, Select } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { useCatalogNames } from '@/components/use-catalog-names';
import { servicesQuery } from '@/features/sites/api/services-query';
import { sitesQuery } from '@/features/sites/api/sites-query';
import { smallerThan } from '@/lib/breakpoints';
import { PAYERS, type TodayFilters } from '../api/today-query';
import { hasFilters } from '../today.utils';
import { KeepFilter, KeptFilters } from './kept-filters';
import classes from './today.module.css';
import { ClearFilters } from './today-view';
import { type ServiceOptions, useKeptFilters } from './use-kept-filters';

/** Of a long list, these many are offered; typing finds the others. */
const MAX_OFFERED = 100;

interface TodayFiltersProps {
  filters: TodayFilters;
  onChange: (changes: TodayFilters) => void;
  onClear: () => void;
}

/** Which part of Today is shown: a site, a service, a payer. */
export function TodayFilterBar({ filters, onChange, onClear }: TodayFiltersProps) {
  const { t } = useTranslation('today');
  const isNarrow = useMediaQuery(smallerThan('narrow'), undefined, { getInitialValueInEffect: false });
  const services = useServiceOptions();
  const { canKeep, keep, count, ...kept } = useKeptFilters(filters, services);
  const fields = (
    <search className={classes.filters} aria-label={t('filter.label')} data-tour="today-filters">
      <SiteFilter value={filters.siteId} onChange={(siteId) => onChange({ siteId })} />
      <NativeSelect
        label={t('filter.service')}
        data={[{ value: '', label: t('filter.anyService') }, ...services.options]}
        value={filters.service ?? ''}
        onChange={(event) => onChange({ service: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        label={t('filter.payer')}
        data={[
          { value: '', label: t('filter.anyPayer') },
          ...PAYERS.map((value) => ({ value, label: t(`payer.${value}`) })),
        ]}
        value={filters.payer ?? ''}
        onChange={({ currentTarget: { value } }) => onChange({ payer: PAYERS.find((payer) => payer === value) })}
      />
      {hasFilters(filters) ? <ClearFilters onClear={onClear} /> : null}
      {canKeep ? <KeepFilter count={count} onKeep={keep} /> : null}
    </search>
  );
  return (
    <>
      <KeptFilters {...kept} />
      {isNarrow ? (
        <details className={classes.more} open={hasFilters(filters)}>
          <summary data-touch>{t('filter.label')}</summary>
          {fields}
        </details>
      ) : (
        fields
      )}
    </>
  );
}

interface SiteFilterProps {
  value: string | undefined;
  onChange: (siteId: string | undefined) => void;
}

/** A site of those that the user has; nothing for a user with one. The platform's are loaded when they are asked for. */
function SiteFilter({ value, onChange }: SiteFilterProps) {
  const { t } = useTranslation(['today', 'common']);
  const { isGlobal } = useUser();
  const [wasOpened, setWasOpened] = useState(false);
  const { data: sites, error } = useQuery({
    ...sitesQuery(),
    enabled: !isGlobal || wasOpened || value !== undefined,
  });
  if (!isGlobal && (!sites || sites.length < 2)) return null;
  return (
    <Select
      label={t('filter.site')}
      placeholder={t('filter.allSites')}
      data={(sites ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value ?? null}
      onChange={(siteId) => onChange(siteId ?? undefined)}
      onDropdownOpen={() => setWasOpened(true)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('filter.allSites') }}
      limit={MAX_OFFERED}
      nothingFoundMessage={sites ? t('filter.noSite') : error ? t('common:error.failedToLoad') : t('common:loading')}
    />
  );
}

/** The services that a guest can need, of both kinds of sites. */
function useServiceOptions(): ServiceOptions {
  const names = useCatalogNames();
  const { data: commercial } = useQuery(servicesQuery(true));
  const { data: nonCommercial } = useQuery(servicesQuery(false));
  const services = [commercial, nonCommercial].flatMap((groups) =>
    groups ? [...groups.general, ...groups.disability] : [],
  );
  const byId = new Map(services.map((service) => [service.id, { value: service.id, label: names.service(service) }]));
  return { options: [...byId.values()], isComplete: commercial !== undefined && nonCommercial !== undefined };
}
