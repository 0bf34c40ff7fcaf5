import { Alert, Switch } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  areNotificationsAllowed,
  askForNotifications,
  showNotification,
} from '@/features/alerts/api/browser-notification';
import { clearPreference, readPreference, writePreference } from '@/lib/preferences';

/** Why notifications stay off. */
type Refusal = 'notificationDenied' | 'notificationNotAllowed' | 'notificationUnsupported';

/** Turns notifications on, which asks for the permission of the browser, and off. */
export function NotificationSwitch() {
  const { t } = useTranslation('account');
  const [isOn, setIsOn] = useState(() => readPreference('alertNotification') === 'yes' && areNotificationsAllowed());
  const [refusal, setRefusal] = useState<Refusal>();
  const turnOff = (because?: Refusal) => {
    clearPreference('alertNotification');
    setRefusal(because);
    setIsOn(false);
  };
  const turnOn = async () => {
    setRefusal(undefined);
    const answer = await askForNotifications();
    if (answer === 'denied') return turnOff('notificationDenied');
    if (answer === 'default') return turnOff('notificationNotAllowed');
    // Some browsers allow what they cannot show: only a try tells.
    if (answer === 'unsupported' || !showNotification(t('preferences.notificationSample'), 'sample')) {
      return turnOff('notificationUnsupported');
    }
    writePreference('alertNotification', 'yes');
    setIsOn(true);
  };
  return (
    <div>
      <Switch
        label={t('preferences.notification')}
        description={t('preferences.notificationHint')}
        checked={isOn}
        onChange={({ currentTarget }) => (currentTarget.checked ? void turnOn() : turnOff())}
      />
      <div role="status">
        {refusal ? (
          <Alert color="yellow" mt="xs">
            {t(`preferences.${refusal}`)}
          </Alert>
        ) : null}
      </div>
    </div>
  );
}
