import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CircleHelp, Mail, Map as MapIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { PopupMenu } from '@/components/popup-menu';

interface HelpMenuProps {
  onExplain: () => void;
  /** Opens the sheet of keyboard shortcuts, where there are any. */
  onShortcuts?: (() => void) | undefined;
}

/** Page Explanation and Contact Us (spec A section 2), and the keyboard shortcuts. */
export function HelpMenu({ onExplain, onShortcuts }: HelpMenuProps) {
  const { t } = useTranslation('shell');
  return (
    <PopupMenu>
      <Menu.Target>
        <ActionIcon aria-label={t('help.label')} data-tour="help">
          <CircleHelp size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<MapIcon size={16} aria-hidden />} onClick={onExplain}>
          {t('help.explain')}
        </Menu.Item>
        {onShortcuts ? (
          <Menu.Item leftSection={<CircleHelp size={16} aria-hidden />} onClick={onShortcuts}>
            {t('shortcuts.title')}
          </Menu.Item>
        ) : null}
        <Menu.Item
          leftSection={<Mail size={16} aria-hidden />}
          renderRoot={(props) => <Link to="/contact-us" {...props} />}
        >
          {t('help.contact')}
        </Menu.Item>
      </Menu.Dropdown>
    </PopupMenu>
  );
}
