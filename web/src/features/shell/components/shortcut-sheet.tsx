import { Group, Paper, Stack, Switch, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { checkUser } from '@/access/end-session';
import { readSetting } from '@/access/settings';
import { useUser } from '@/access/use-user';
import { Dialog } from '@/components/dialog/dialog';
import { isChangingSetting, useChangeSetting } from '@/features/account/api/change-setting';
import { ALL_SHORTCUTS, namesOff, SHORTCUTS, turnShortcut } from '@/lib/shortcuts';

const ROW = { borderTop: '1px solid var(--berth-border)' };
const KEY = { minWidth: 28, fontFamily: 'inherit', textAlign: 'center' } as const;

interface ShortcutSheetProps {
  subject: boolean;
  onClose: () => void;
}

/** All keyboard shortcuts, each with a switch, and one for all of them (WCAG 2.1.4). */
export function ShortcutSheet({ subject, onClose }: ShortcutSheetProps) {
  const { t } = useTranslation('shell');
  return (
    <Dialog subject={subject} title={t('shortcuts.title')} onClose={onClose}>
      <Sheet />
    </Dialog>
  );
}

function Sheet() {
  const { t } = useTranslation('shell');
  const queryClient = useQueryClient();
  // The whole list is stored at once: what another tab or device has changed is not to be undone with it.
  useEffect(() => {
    if (!isChangingSetting(queryClient)) void checkUser(queryClient);
  }, [queryClient]);
  const setting = readSetting(useUser(), 'setting.shortcuts-off');
  const { mutate } = useChangeSetting();
  const off = namesOff(setting);
  const allOff = off.includes(ALL_SHORTCUTS);
  const turn = (name: string, isOn: boolean) =>
    mutate({ name: 'setting.shortcuts-off', text: turnShortcut(setting, name, isOn) });
  return (
    <Stack gap="md">
      <Text>{t('shortcuts.text')}</Text>
      <Switch
        label={t('shortcuts.all')}
        checked={!allOff}
        onChange={(event) => turn(ALL_SHORTCUTS, event.currentTarget.checked)}
      />
      <Stack component="ul" gap={0} p={0} m={0} aria-label={t('shortcuts.title')}>
        {SHORTCUTS.map(({ keys, name }) => (
          <Group key={keys} component="li" justify="space-between" wrap="nowrap" mih={44} style={ROW}>
            <Switch
              label={t(`shortcuts.${name}`)}
              disabled={allOff}
              checked={!allOff && !off.includes(name)}
              onChange={(event) => turn(name, event.currentTarget.checked)}
            />
            <Group gap={4} wrap="nowrap">
              {keys.split(' ').map((key) => (
                <Paper key={key} component="kbd" withBorder px="xs" fz="sm" fw={600} style={KEY}>
                  {key}
                </Paper>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Stack>
  );
}
