import { Button, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { lazyNamed } from '../lazy-named';
import type { DataColumn } from './data-table.types';
import { titleColumn } from './data-table.utils';

interface ColumnsMenuProps<Row> {
  columns: readonly DataColumn<Row>[];
  /** Rows are cards now, which leave some columns out anyway. */
  isOnCards: boolean | undefined;
  /** Ids of the columns that are not shown. */
  hidden: readonly string[];
  onChange: (hidden: readonly string[]) => void;
}

/** What is in the menu loads with its first opening. */
const ColumnChoices = lazyNamed(() => import('./column-choices'), 'ColumnChoices', { optional: true });

/** Chooses the columns of a table, all but the one that names the rows. Says how many are hidden. */
export function ColumnsMenu<Row>({ columns, isOnCards, hidden, onChange }: ColumnsMenuProps<Row>) {
  const { t } = useTranslation();
  const title = titleColumn(columns);
  const choices = columns.filter((column) => column !== title && !(isOnCards && column.hideOnCard));
  if (choices.length === 0) return null;
  const count = choices.filter(({ id }) => hidden.includes(id)).length;
  return (
    <Menu position="top-start" shadow="md" transitionProps={{ duration: 100 }}>
      <Menu.Target>
        <Button variant="default" size="compact-md" fw="normal">
          {count === 0 ? t('table.columns') : t('table.hiddenColumns', { count })}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        <ColumnChoices choices={choices} hidden={hidden} onChange={onChange} />
      </Menu.Dropdown>
    </Menu>
  );
}
