import { Button, Checkbox, Group, NativeSelect, Pagination, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import i18next from 'i18next';
import { Search } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Loading } from '@/components/skeletons';
import { formatList } from '@/lib/format';
import { formatPhone } from '@/lib/phone';
import { sitesQuery } from '../api/public-queries';
import { type Filters, NO_FILTERS, PAGE_SIZE } from '../find-address';
import { go, useAddress } from '../use-address';
import classes from './find.module.css';
import { FreeBeds } from './free-beds';
import { Heading } from './heading';
import { ViewLink } from './view-link';

const AGES = ['age-under-18', 'age-18-26', 'age-over-27'] as const;
const GENDERS = ['Female', 'Male', 'Other'] as const;
const GENDER_NUMBERS = { Male: '1', Female: '2', Other: '0' } as const;
const PAYERS = ['PrivatePay', 'Insurance', 'MediCal', 'SlidingScale', 'Scholarship'] as const;
/** Height of a result in pixels, with two lines of text for the address. */
const RESULT_HEIGHT = 190;
const BED_TYPES = ['Detox', 'Treatment', 'Sober Living'] as const;

/** The search and what it finds. */
export function SearchView() {
  const { t } = useTranslation('find');
  const { filters } = useAddress();
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Heading>{t('title')}</Heading>
        <Text>{t('search.intro')}</Text>
      </Stack>
      <SearchForm filters={filters} />
      <Results filters={filters} />
    </Stack>
  );
}

/** Returns true if one of the filters below "More filters" is set. */
function hasMore({ age, gender, payer, language }: Filters): boolean {
  return [age, gender, payer, language].some((value) => value !== '');
}

/** A search as a text, whatever its page of results. */
const writeSearch = (filters: Filters) => JSON.stringify({ ...filters, page: 0 });

function SearchForm({ filters }: { filters: Filters }) {
  const { t } = useTranslation(['find', 'catalog']);
  const [chosen, setChosen] = useState(filters);
  const [isMoreOpen, setMoreOpen] = useState(() => hasMore(filters));
  const [shown, setShown] = useState(filters);
  // Another search, perhaps by Back, shows its own choices.
  if (writeSearch(shown) !== writeSearch(filters)) {
    setShown(filters);
    setChosen(filters);
    if (hasMore(filters)) setMoreOpen(true);
  }
  const set = (change: Partial<Filters>) => setChosen({ ...chosen, ...change });
  const handleSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    const next = { ...chosen, place: chosen.place.trim(), page: 0 };
    go({ name: 'search' }, { filters: next });
  };
  const any = { value: '', label: t('search.any') };
  return (
    <form role="search" aria-label={t('search.form')} onSubmit={handleSubmit}>
      <Stack gap="md">
        <div className={classes.grid}>
          <TextInput
            label={t('search.place')}
            value={chosen.place}
            onChange={(event) => set({ place: event.currentTarget.value })}
            maxLength={100}
            autoComplete="off"
          />
          <NativeSelect
            label={t('search.bedType')}
            data={[any, ...BED_TYPES.map((value) => ({ value, label: t(`bedType.${value}`) }))]}
            value={chosen.bedType}
            onChange={(event) => set({ bedType: event.currentTarget.value })}
          />
        </div>
        {/* Open or closed is the visitor's own: a filter that is set back to Any closes nothing. */}
        <details className={classes.more} open={isMoreOpen} onToggle={(event) => setMoreOpen(event.currentTarget.open)}>
          <summary>{t('search.more')}</summary>
          <div className={classes.grid}>
            <NativeSelect
              label={t('search.age')}
              data={[any, ...AGES.map((value) => ({ value, label: t(`catalog:service.${value}`) }))]}
              value={chosen.age}
              onChange={(event) => set({ age: event.currentTarget.value })}
            />
            <NativeSelect
              label={t('search.gender')}
              data={[any, ...GENDERS.map((value) => ({ value, label: t(`gender.${GENDER_NUMBERS[value]}`) }))]}
              value={chosen.gender}
              onChange={(event) => set({ gender: event.currentTarget.value })}
            />
            <NativeSelect
              label={t('search.payer')}
              data={[any, ...PAYERS.map((value) => ({ value, label: t(`payer.${value}`) }))]}
              value={chosen.payer}
              onChange={(event) => set({ payer: event.currentTarget.value })}
            />
            <NativeSelect
              label={t('search.language')}
              data={[any, ...languageChoices()]}
              value={chosen.language}
              onChange={(event) => set({ language: event.currentTarget.value })}
            />
          </div>
        </details>
        <Checkbox
          label={t('search.available')}
          checked={chosen.available}
          onChange={(event) => set({ available: event.currentTarget.checked })}
        />
        <Group gap="sm">
          <Button type="submit" leftSection={<Search size={18} aria-hidden />}>
            {t('search.submit')}
          </Button>
          {JSON.stringify(chosen) === JSON.stringify(NO_FILTERS) ? null : (
            <Button
              variant="default"
              onClick={() => {
                setChosen(NO_FILTERS);
                go({ name: 'search' }, { filters: NO_FILTERS });
              }}
            >
              {t('search.clear')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** The languages of the catalogue in the language of the page, in the order of the catalogue. */
function languageChoices(): { value: string; label: string }[] {
  const names = i18next.getResource(i18next.language, 'catalog', 'language') as Record<string, string> | undefined;
  return Object.entries(names ?? {}).map(([value, label]) => ({ value, label }));
}

function Results({ filters }: { filters: Filters }) {
  const { t } = useTranslation('find');
  const { data, error, isPlaceholderData, refetch } = useQuery(sitesQuery(filters));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <ResultsSkeleton />;
  const pages = Math.ceil(data.totalCount / PAGE_SIZE);
  return (
    <Stack gap="md" aria-busy={isPlaceholderData}>
      <Text role="status" className="tabular">
        {t('search.results', { count: data.totalCount })}
      </Text>
      {data.items.length === 0 ? (
        <EmptyState title={t('search.none')} hint={t('search.noneHint')} />
      ) : (
        <ul className={classes.list}>
          {data.items.map((site) => (
            <Result key={site.id} site={site} bedType={filters.bedType} />
          ))}
        </ul>
      )}
      {pages > 1 ? (
        <Pagination
          component="nav"
          aria-label={t('search.pages')}
          total={pages}
          value={filters.page + 1}
          onChange={(page) => go({ name: 'search' }, { filters: { ...filters, page: page - 1 } })}
          getItemProps={(page) => ({ 'aria-label': String(page) })}
          withControls={false}
        />
      ) : null}
    </Stack>
  );
}

/** Stands for the first results while they load. */
function ResultsSkeleton() {
  return (
    <Stack gap="md">
      <Loading />
      <Skeleton height={22} width={140} />
      {Array.from({ length: 4 }, (_, index) => (
        <Skeleton key={index} height={RESULT_HEIGHT} radius="md" />
      ))}
    </Stack>
  );
}

interface ResultProps {
  site: Schemas['PublicSite'];
  /** The type of bed that is looked for; empty for any. */
  bedType: string;
}

function Result({ site, bedType }: ResultProps) {
  const { t, i18n } = useTranslation('find');
  const types = site.bedTypes.map((type) => t(`bedType.${type}`));
  return (
    <li className={classes.card}>
      <h2>
        <ViewLink to={{ name: 'site', siteId: site.id }}>{site.name}</ViewLink>
      </h2>
      <FreeBeds site={site} countsOtherTypes={bedType !== '' && site.bedTypes.some((type) => type !== bedType)} />
      <span>{site.address}</span>
      {types.length > 0 ? <span className={classes.dim}>{formatList(types, i18n.language)}</span> : null}
      <span>
        <a href={`tel:${site.contactPhone}`}>{formatPhone(site.contactPhone)}</a>
      </span>
    </li>
  );
}
