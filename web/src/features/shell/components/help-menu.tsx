import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CircleHelp, Mail, Map as MapIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';

/** Page Explanation and Contact Us (spec A section 2). */
export function HelpMenu({ onExplain }: { onExplain: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <Menu position="bottom-end" shadow="md" transitionProps={{ duration: 100 }}>
      <Menu.Target>
        <ActionIcon aria-label={t('help.label')} data-tour="help">
          <CircleHelp size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<MapIcon size={16} aria-hidden />} onClick={onExplain}>
          {t('help.explain')}
        </Menu.Item>
        <Menu.Item
          leftSection={<Mail size={16} aria-hidden />}
          renderRoot={(props) => <Link to="/contact-us" {...props} />}
        >
          {t('help.contact')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
