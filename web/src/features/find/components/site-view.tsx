import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Info, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ErrorState } from '@/components/error-state';
import { PageSkeleton } from '@/components/skeletons';
import { useCatalogNames } from '@/components/use-catalog-names';
import { formatList } from '@/lib/format';
import { formatPhone } from '@/lib/phone';
import { siteQuery } from '../api/public-queries';
import { go } from '../use-address';
import classes from './find.module.css';
import { FreeBeds } from './free-beds';
import { Heading } from './heading';
import { ViewLink } from './view-link';

/** One site before a reservation. */
export function SiteView({ siteId }: { siteId: string }) {
  const { t } = useTranslation('find');
  const { data, error, isFetching, refetch } = useQuery(siteQuery(siteId));
  return (
    <Stack gap="lg">
      <span>
        <ViewLink to={{ name: 'search' }}>{t('site.back')}</ViewLink>
      </span>
      {data ? (
        <Site site={data} isChecking={isFetching} onCheck={() => void refetch()} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <PageSkeleton />
      )}
    </Stack>
  );
}

interface SiteProps {
  site: Schemas['PublicSiteDetails'];
  isChecking: boolean;
  onCheck: () => void;
}

function Site({ site, isChecking, onCheck }: SiteProps) {
  const { t, i18n } = useTranslation('find');
  const names = useCatalogNames();
  const list = (texts: readonly string[]) => (texts.length === 0 ? null : formatList(texts, i18n.language));
  const named = (...categories: Schemas['ServiceCategory'][]) =>
    list(site.services.filter(({ category }) => categories.includes(category)).map(names.service));
  const payment = site.isCommercial ? site.paymentMethods.map(names.method) : site.paymentOptions.map(names.payment);
  const isFull = site.availableBeds === 0;
  return (
    <>
      <Stack gap="xs">
        <Heading>{site.name}</Heading>
        <Group gap="sm" role="status">
          <FreeBeds site={site} />
        </Group>
      </Stack>
      {isFull ? (
        <Alert color="yellow" icon={<Info size={18} aria-hidden />} title={t('site.full')}>
          {t('site.fullHint')}
        </Alert>
      ) : (
        <Text>{t('site.hold', { count: site.holdHours })}</Text>
      )}
      <Group gap="sm">
        {isFull ? null : <Button onClick={() => go({ name: 'reserve', siteId: site.id })}>{t('site.reserve')}</Button>}
        <Button
          variant="default"
          leftSection={<RefreshCw size={18} aria-hidden />}
          loading={isChecking}
          onClick={onCheck}
        >
          {t('site.check')}
        </Button>
      </Group>
      <dl className={classes.facts}>
        <Fact label={t('site.address')}>{site.address}</Fact>
        <Fact label={t('site.phone')}>
          <a href={`tel:${site.contactPhone}`}>{formatPhone(site.contactPhone)}</a>
        </Fact>
        <Fact label={t('site.bedTypes')}>{list(site.bedTypes.map((type) => t(`bedType.${type}`)))}</Fact>
        <Fact label={t('site.guests')}>{named('Gender', 'Age', 'Client')}</Fact>
        <Fact label={t('site.services')}>{named('General', 'Disability')}</Fact>
        <Fact label={t('site.languages')}>{list(site.languages.map(names.language))}</Fact>
        <Fact label={t('site.payment')}>{list(payment)}</Fact>
        <Fact label={t('site.about')}>
          <span className={classes.description}>{site.description}</span>
        </Fact>
      </dl>
    </>
  );
}

/** A fact with its label; nothing without a value. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  if (children === null || children === undefined) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
