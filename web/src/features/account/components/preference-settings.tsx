import { Stack, Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isSettingOn, type SwitchedSetting } from '@/access/settings';
import { useUser } from '@/access/use-user';
import { hasRole } from '@/access/user';
import { playSound } from '@/features/alerts/api/sound';
import { useChangeSetting } from '../api/change-setting';
import { NotificationSwitch } from './notification-switch';

/** How Berth works for the user. Each choice applies at once. */
export function PreferenceSettings() {
  const { t } = useTranslation('account');
  const user = useUser();
  return (
    <Stack gap="md">
      <Text>{t('preferences.text')}</Text>
      <PreferenceSwitch
        name="setting.start-today"
        label={t('preferences.startToday')}
        hint={t('preferences.startTodayHint')}
      />
      <PreferenceSwitch
        name="setting.moves-unasked"
        label={t('preferences.movesUnasked')}
        hint={t('preferences.movesUnaskedHint')}
      />
      {/* Global admins, who have every site, are told of no reservation. */}
      {hasRole(user) && !user.isGlobal ? (
        <>
          <PreferenceSwitch
            name="setting.alert-sound"
            label={t('preferences.sound')}
            hint={t('preferences.soundHint')}
            onTurnOn={playSound}
          />
          <NotificationSwitch />
        </>
      ) : null}
    </Stack>
  );
}

interface PreferenceSwitchProps {
  name: SwitchedSetting;
  label: string;
  hint: string;
  /** Shows what is turned on. */
  onTurnOn?: () => void;
}

function PreferenceSwitch({ name, label, hint, onTurnOn }: PreferenceSwitchProps) {
  const isOn = isSettingOn(useUser(), name);
  const { mutate } = useChangeSetting();
  const choose = (next: boolean) => {
    mutate({ name, text: next ? 'on' : '' });
    if (next) onTurnOn?.();
  };
  return (
    <Switch label={label} description={hint} checked={isOn} onChange={(event) => choose(event.currentTarget.checked)} />
  );
}
