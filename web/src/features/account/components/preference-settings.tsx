import { Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { clearPreference, readPreference, writePreference } from '@/lib/preferences';

/** How Berth works in this browser. Each choice applies at once. */
export function PreferenceSettings() {
  const { t } = useTranslation('account');
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
    </Stack>
  );
}

interface PreferenceSwitchProps {
  name: 'startPage' | 'movesUnasked';
  /** What is stored while the switch is on; nothing is stored while it is off. */
  on: 'today' | 'yes';
  label: string;
  hint: string;
}

function PreferenceSwitch({ name, on, label, hint }: PreferenceSwitchProps) {
  const [isOn, setIsOn] = useState(() => readPreference(name) === on);
  const choose = (next: boolean) => {
    setIsOn(next);
    if (next) writePreference(name, on);
    else clearPreference(name);
  };
  return (
    <Switch label={label} description={hint} checked={isOn} onChange={(event) => choose(event.currentTarget.checked)} />
  );
}
