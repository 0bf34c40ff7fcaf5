import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { MenuButton } from '../menu-button';
import classes from './data-table.module.css';
import type { DataColumn, DataTableProps } from './data-table.types';

type RowProps<Row> = Pick<DataTableProps<Row>, 'onRowClick' | 'rowLink' | 'rowActions' | 'rowMenu'>;

/** The cell that opens the row: a link or a button, so that the keyboard reaches what the mouse does. */
export function TitleCell<Row>({
  row,
  column,
  onRowClick,
  rowLink,
}: RowProps<Row> & { row: Row; column: DataColumn<Row> }) {
  const content = column.cell(row);
  if (rowLink) {
    return (
      <Link {...rowLink(row)} className={classes.opener}>
        {content}
      </Link>
    );
  }
  if (onRowClick) {
    return (
      <button type="button" className={classes.opener} data-print="show" onClick={() => onRowClick(row)}>
        {content}
      </button>
    );
  }
  return content;
}

/** Buttons and menu of a row. */
export function RowTools<Row>({ row, rowActions, rowMenu }: RowProps<Row> & { row: Row }) {
  const menu = rowMenu?.(row);
  return (
    <>
      {rowActions?.(row).map((action) => (
        <Button
          key={action.label}
          size="compact-md"
          variant={action.primary ? 'filled' : 'default'}
          color={action.danger ? 'red' : undefined}
          leftSection={action.icon}
          aria-label={action.accessibleLabel}
          aria-disabled={action.disabledReason ? true : undefined}
          data-disabled={action.disabledReason ? true : undefined}
          title={action.disabledReason}
          data-shortcut={action.shortcut}
          onClick={(event) => {
            event.stopPropagation();
            if (!action.disabledReason) action.onSelect();
          }}
        >
          {action.label}
        </Button>
      ))}
      {menu ? <MenuButton label={menu.label} entries={menu.entries} /> : null}
    </>
  );
}
