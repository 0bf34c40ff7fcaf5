import { Button, CloseButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { focusScreen } from '@/components/dialog/return-focus';
import { ReasonTooltip } from '@/components/reason-tooltip';
import { MAX_KEPT_FILTERS } from '../kept-filters.utils';
import { neighborOf } from '@/lib/neighbor';
import classes from './today.module.css';
import type { NamedFilter } from './use-kept-filters';

interface KeptFiltersProps {
  named: readonly NamedFilter[];
  /** Id of the filter that was kept just now, which gets the focus: the button that did it is gone. */
  latest: string | undefined;
  remove: (id: string) => void;
}

/** The filters that the user keeps, as links. */
export function KeptFilters({ named, latest, remove }: KeptFiltersProps) {
  const { t } = useTranslation('today');
  const links = useRef(new Map<string, HTMLAnchorElement>());
  useLayoutEffect(() => {
    if (latest !== undefined) links.current.get(latest)?.focus();
  }, [latest]);
  if (named.length === 0) return null;
  const handleRemove = (id: string) => {
    const ids = named.map((filter) => filter.id);
    const next = neighborOf(id, ids, ids);
    const link = next === undefined ? undefined : links.current.get(next);
    // The button goes with its filter.
    if (link) link.focus();
    else focusScreen();
    remove(id);
  };
  return (
    <ul className={classes.kept} aria-label={t('filter.kept')} data-print="hide">
      {named.map(({ id, filters, name }) => (
        <li key={id}>
          <Link
            ref={(link) => {
              if (link) links.current.set(id, link);
              return () => void links.current.delete(id);
            }}
            to="/today"
            search={filters}
            replace
            resetScroll={false}
            activeOptions={{ exact: true }}
            data-touch
          >
            {name}
          </Link>
          <CloseButton
            size="sm"
            aria-label={t('filter.removeKept', { filter: name })}
            onClick={() => handleRemove(id)}
          />
        </li>
      ))}
    </ul>
  );
}

interface KeepFilterProps {
  /** How many are kept. */
  count: number;
  onKeep: () => void;
}

/** Keeps the filter that is set. */
export function KeepFilter({ count, onKeep }: KeepFilterProps) {
  const { t } = useTranslation('today');
  const reason = count < MAX_KEPT_FILTERS ? null : t('filter.full', { most: MAX_KEPT_FILTERS });
  return (
    <ReasonTooltip reason={reason}>
      <Button variant="default" leftSection={<Star size={18} aria-hidden />} onClick={onKeep}>
        {t('filter.keep')}
      </Button>
    </ReasonTooltip>
  );
}
