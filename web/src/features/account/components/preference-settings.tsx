import { Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { hasRole } from '@/access/user';
import { playSound } from '@/features/alerts/api/sound';
import { clearPreference, readPreference, writePreference } from '@/lib/preferences';
import { NotificationSwitch } from './notification-switch';

/** How Berth works in this browser. Each choice applies at once. */
export function PreferenceSettings() {
  const { t } = useTranslation('account');
  const user = useUser();
  return (
    <Stack gap="md">
      <Text>{t('preferences.text')}</Text>
      <PreferenceSwitch
        name="startPage"
        on="today"
        label={t('preferences.startToday')}
        hint={t('preferences.startTodayHint')}
      />
      <PreferenceSwitch
        name="movesUnasked"
        on="yes"
        label={t('preferences.movesUnasked')}
        hint={t('preferences.movesUnaskedHint')}
      />
      {/* Global admins, who have every site, are told of no reservation. */}
      {hasRole(user) && !user.isGlobal ? (
        <>
          <PreferenceSwitch
            name="alertSound"
            on="yes"
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
  name: 'startPage' | 'movesUnasked' | 'alertSound';
  /** What is stored while the switch is on; nothing is stored while it is off. */
  on: 'today' | 'yes';
  label: string;
  hint: string;
  /** Shows what is turned on. */
  onTurnOn?: () => void;
}

function PreferenceSwitch({ name, on, label, hint, onTurnOn }: PreferenceSwitchProps) {
  const [isOn, setIsOn] = useState(() => readPreference(name) === on);
  const choose = (next: boolean) => {
    setIsOn(next);
    if (!next) {
      clearPreference(name);
      return;
    }
    writePreference(name, on);
    onTurnOn?.();
  };
  return (
    <Switch label={label} description={hint} checked={isOn} onChange={(event) => choose(event.currentTarget.checked)} />
  );
}
