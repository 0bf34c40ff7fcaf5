import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface ColumnChoicesProps {
  choices: readonly { id: string; header: string }[];
  /** Ids of the columns that are not shown; of tables that share their look, also those of the others. */
  hidden: readonly string[];
  onChange: (hidden: readonly string[]) => void;
}

/** The entries of the menu of columns: a checkbox for each, and one that shows all again. */
export function ColumnChoices({ choices, hidden, onChange }: ColumnChoicesProps) {
  const { t } = useTranslation();
  return (
    <>
      {choices.map(({ id, header }) => {
        const isHidden = hidden.includes(id);
        return (
          <Menu.CheckboxItem
            key={id}
            checked={!isHidden}
            onChange={() => onChange(isHidden ? hidden.filter((other) => other !== id) : [...hidden, id])}
          >
            {header}
          </Menu.CheckboxItem>
        );
      })}
      <Menu.Divider />
      <Menu.Item onClick={() => onChange([])}>{t('table.showAllColumns')}</Menu.Item>
    </>
  );
}
