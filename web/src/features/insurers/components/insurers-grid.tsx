import { Pagination, Text } from '@mantine/core';
import { Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { LinkCard, CardGrid } from '@/components/link-card';
import { MenuButton } from '@/components/menu-button';
import { NameMark } from '@/components/name-mark';
import { StatusBadge } from '@/components/status-badge';
import type { Insurer } from '../insurers.utils';
import classes from './insurers.module.css';

interface InsurersGridProps {
  cards: readonly Insurer[];
  /** How many were found on all pages. */
  found: number;
  /** From 1. */
  page: number;
  pages: number;
  onPageChange: (page: number) => void;
  onAction: (kind: 'edit' | 'delete', insurer: Insurer) => void;
}

/** Insurance companies as cards, at most 70 % of the window high, with their pages below (spec B sections 2 and 9). */
export function InsurersGrid({ cards, found, page, pages, onPageChange, onAction }: InsurersGridProps) {
  const { t } = useTranslation('insurers');
  return (
    <>
      {/* Another page begins at its beginning. */}
      <div key={page} className={classes.scroll}>
        <CardGrid label={t('title')}>
          {cards.map((insurer) => (
            <li key={insurer.id}>
              <LinkCard
                mark={<NameMark name={insurer.name} imagePath={insurer.logoPath} />}
                name={insurer.name}
                details={insurer.isPrimary ? <StatusBadge tone="brand">{t('top')}</StatusBadge> : null}
                actions={
                  <span data-insurer-menu={insurer.id}>
                    <MenuButton
                      label={t('menu', { name: insurer.name })}
                      entries={[
                        {
                          label: t('action.edit'),
                          icon: <Pencil size={16} aria-hidden />,
                          onSelect: () => onAction('edit', insurer),
                        },
                        {
                          label: t('action.delete'),
                          icon: <Trash2 size={16} aria-hidden />,
                          danger: true,
                          onSelect: () => onAction('delete', insurer),
                        },
                      ]}
                    />
                  </span>
                }
              />
            </li>
          ))}
        </CardGrid>
      </div>
      <div className={classes.footer}>
        <Text c="dimmed" role="status">
          {t('found', { count: found })}
        </Text>
        {pages > 1 ? (
          <nav aria-label={t('pages')}>
            <Pagination
              total={pages}
              value={page}
              onChange={onPageChange}
              siblings={3}
              getItemProps={(number) => ({ 'aria-label': t('page', { page: number }) })}
              getControlProps={(control) => ({
                'aria-label': control === 'previous' ? t('previousPage') : t('nextPage'),
              })}
            />
          </nav>
        ) : null}
      </div>
    </>
  );
}
