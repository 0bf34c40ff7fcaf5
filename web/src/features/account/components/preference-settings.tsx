import { Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { clearPreference, readPreference, writePreference } from '@/lib/preferences';

/** How Berth works in this browser. Each choice applies at once. */
export function PreferenceSettings() {
  const { t } = useTranslation('account');
  const [movesUnasked, setMovesUnasked] = useState(() => readPreference('movesUnasked') === 'yes');
  const choose = (isUnasked: boolean) => {
    setMovesUnasked(isUnasked);
    if (isUnasked) writePreference('movesUnasked', 'yes');
    else clearPreference('movesUnasked');
  };
  return (
    <Stack gap="md">
      <Text>{t('preferences.text')}</Text>
      <Switch
        label={t('preferences.movesUnasked')}
        description={t('preferences.movesUnaskedHint')}
        checked={movesUnasked}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
    </Stack>
  );
}
