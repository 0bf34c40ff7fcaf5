import type { Schemas } from '@/api/client';
import { ActionIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Move } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import { useBedTexts } from '@/features/houses/ui/use-bed-texts';
import { formatNumber } from '@/lib/format';
import classes from './today.module.css';

interface FreeNowProps {
  sites: readonly Schemas['TodaySite'][];
  headingId: string;
  /** One line a site. */
  isCompact?: boolean;
}

/** What each site can still promise: the vacant beds that no reservation holds lead (DESIGN section 3). */
export function FreeNow({ sites, headingId, isCompact = false }: FreeNowProps) {
  const { t, i18n } = useTranslation('today');
  return (
    <ul className={classes.sites} aria-labelledby={headingId} data-compact={isCompact}>
      {sites.map((site) => {
        const { id, name, counts, free, waiting, offers } = site;
        return (
          <li key={id} className={classes.site} data-none={counts.available === 0}>
            <Link
              to="/reservations/$siteId"
              params={{ siteId: id }}
              className={classes.siteName}
              data-touch={isCompact ? undefined : true}
            >
              {name}
            </Link>
            <p className={classes.available}>
              <span className={classes.number}>{formatNumber(counts.available, i18n.language)}</span>{' '}
              {t('free.available', { count: counts.available })}
            </p>
            <p className={classes.dim}>
              {t('free.detail', {
                vacant: t('free.vacant', { count: counts.vacant }),
                held: t('free.held', { count: counts.pending }),
              })}
            </p>
            {waiting > 0 ? <WaitlistLink siteId={id} site={name} waiting={waiting} offers={offers} /> : null}
            {isCompact || free.length === 0 ? null : <BedTypes site={name} free={free} available={counts.available} />}
            <MoveLink site={site} isCompact={isCompact} />
          </li>
        );
      })}
    </ul>
  );
}

/** Leads to the board of a site, ready to move guests: from the first screen, a move is one click, a drag and its answer. */
function MoveLink({ site, isCompact }: { site: Schemas['TodaySite']; isCompact: boolean }) {
  const { t } = useTranslation('today');
  const mayMove = useCan('guest.reassign', { site });
  if (!mayMove || site.counts.occupied === 0) return null;
  const board = {
    to: '/reservations/$siteId',
    params: { siteId: site.id },
    search: { open: 'board' },
    'aria-label': t('free.moveAt', { site: site.name }),
    'data-print': 'hide',
  } as const;
  return isCompact ? (
    <ActionIcon
      variant="subtle"
      className={classes.moveIconLink}
      title={t('free.move')}
      renderRoot={(props) => <Link {...board} {...props} />}
    >
      <Move size={18} aria-hidden />
    </ActionIcon>
  ) : (
    <Link {...board} className={classes.moveLink} data-touch>
      {t('free.move')}
    </Link>
  );
}

interface WaitlistLinkProps {
  siteId: string;
  site: string;
  /** People who wait for a bed. */
  waiting: number;
  /** Those of them to whom a bed is offered: somebody must call. */
  offers: number;
}

function WaitlistLink({ siteId, site, waiting, offers }: WaitlistLinkProps) {
  const { t } = useTranslation('today');
  const text = [t('free.waitlist', { count: waiting }), offers > 0 && t('free.offers', { count: offers })]
    .filter(Boolean)
    .join(', ');
  return (
    <Link
      to="/waitlist/$siteId"
      params={{ siteId }}
      className={classes.waitlist}
      data-offers={offers > 0}
      data-touch
      aria-label={t('free.waitlistOf', { site, text })}
    >
      {text}
    </Link>
  );
}

interface BedTypesProps {
  site: string;
  free: Schemas['TodaySite']['free'];
  /** Beds that the site can still promise. */
  available: number;
}

/**
 * What is available of each type of bed. A reservation holds no named bed, so the types may add up to more than the site can
 * promise: then each is an upper limit, and says so.
 */
function BedTypes({ site, free, available: ofSite }: BedTypesProps) {
  const { t } = useTranslation('today');
  const texts = useBedTexts();
  const isLimit = free.reduce((sum, { available }) => sum + available, 0) > ofSite;
  return (
    <ul className={classes.chips} aria-label={t('free.types', { site })}>
      {free.map(({ type, available }) => (
        <li key={type} className={classes.chip} data-none={available === 0}>
          {t(isLimit && available > 0 ? 'free.typeAtMost' : 'free.type', { type: texts.type(type), available })}
        </li>
      ))}
    </ul>
  );
}
