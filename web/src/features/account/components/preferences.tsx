import { Switch } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { clearPreference, readPreference, writePreference } from '@/lib/preferences';

/** What this browser remembers of how the user works. Each switch takes effect at once. */
export function Preferences() {
  const { t } = useTranslation('account');
  const [startsToday, setStartsToday] = useState(readPreference('startPage') === 'today');
  const choose = (isToday: boolean) => {
    if (isToday) writePreference('startPage', 'today');
    else clearPreference('startPage');
    setStartsToday(isToday);
  };
  return (
    <Switch
      label={t('preferences.startToday')}
      description={t('preferences.startTodayHint')}
      checked={startsToday}
      onChange={(event) => choose(event.currentTarget.checked)}
    />
  );
}
