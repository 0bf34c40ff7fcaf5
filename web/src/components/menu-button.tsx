import { ActionIcon, Menu } from '@mantine/core';
import { EllipsisVertical } from 'lucide-react';
import type { ReactNode } from 'react';
import { PopupMenu } from './popup-menu';

/** One entry of a menu; entries that may not be chosen now say why instead of vanishing. */
export interface MenuEntry {
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  disabledReason?: string;
  onSelect: () => void;
}

interface MenuButtonProps {
  /** Names the menu for those who do not see it, with the thing it belongs to: "More actions for House 2". */
  label: string;
  entries: readonly MenuEntry[];
  icon?: ReactNode;
}

/** The three dots: actions of one thing. Renders nothing where there is nothing to do. */
export function MenuButton({ label, entries, icon }: MenuButtonProps) {
  if (entries.length === 0) return null;
  return (
    <PopupMenu withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon aria-label={label} onClick={(event) => event.stopPropagation()}>
          {icon ?? <EllipsisVertical size={18} aria-hidden />}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        {entries.map((entry) => (
          <Menu.Item
            key={entry.label}
            leftSection={entry.icon}
            c={entry.danger ? 'var(--mantine-color-error)' : undefined}
            aria-disabled={entry.disabledReason ? true : undefined}
            closeMenuOnClick={!entry.disabledReason}
            onClick={() => {
              if (!entry.disabledReason) entry.onSelect();
            }}
          >
            {entry.label}
            {entry.disabledReason ? (
              <span style={{ display: 'block', color: 'var(--mantine-color-dimmed)', fontSize: '0.8125rem' }}>
                {entry.disabledReason}
              </span>
            ) : null}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </PopupMenu>
  );
}
