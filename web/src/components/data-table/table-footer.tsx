import { ActionIcon } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './data-table.module.css';
import { PAGE_SIZES, type PageSize } from './table-search';

interface TableFooterProps {
  selectedCount?: number;
  dense?: boolean;
  size: number;
  page: number;
  pages: number;
  range: { from: number; to: number };
  total: number;
  onDenseChange?: (dense: boolean) => void;
  /** Chooses the columns. */
  columnsMenu?: ReactNode;
  onSizeChange: (size: PageSize) => void;
  /** Without it, the table has all its rows on one page. */
  onPageChange?: (page: number) => void;
}

/** Selected rows, density, columns, page size and paging. Paper shows only which rows these are, of how many. */
export function TableFooter(props: TableFooterProps) {
  const { t } = useTranslation();
  const { onPageChange } = props;
  return (
    <div data-tour="table-footer" className={classes.footer}>
      {props.onDenseChange ? (
        <label className={classes.switch} data-print="hide">
          <input
            type="checkbox"
            className={classes.check}
            checked={props.dense}
            onChange={(event) => props.onDenseChange?.(event.currentTarget.checked)}
          />
          {t('table.dense')}
        </label>
      ) : null}
      {props.columnsMenu}
      {props.selectedCount ? (
        <span role="status" data-print="hide">
          {t('table.selected', { count: props.selectedCount })}
        </span>
      ) : null}
      {onPageChange ? (
        <>
          <span className={classes.spacer} />
          <label className={classes.pageSize} data-print="hide">
            {t('table.pageSize')}
            <select
              className={classes.select}
              value={props.size}
              onChange={(event) => {
                const size = PAGE_SIZES.find((known) => String(known) === event.currentTarget.value);
                if (size) props.onSizeChange(size);
              }}
            >
              {PAGE_SIZES.map((size) => (
                <option key={size} value={size}>
                  {size}
                </option>
              ))}
            </select>
          </label>
          <span>{t('table.range', { ...props.range, total: props.total })}</span>
          <span className={classes.pager}>
            <ActionIcon
              aria-label={t('table.previous')}
              disabled={props.page === 0}
              onClick={() => onPageChange(props.page - 1)}
            >
              <ChevronLeft size={18} aria-hidden />
            </ActionIcon>
            <ActionIcon
              aria-label={t('table.next')}
              disabled={props.page >= props.pages - 1}
              onClick={() => onPageChange(props.page + 1)}
            >
              <ChevronRight size={18} aria-hidden />
            </ActionIcon>
          </span>
        </>
      ) : null}
    </div>
  );
}
