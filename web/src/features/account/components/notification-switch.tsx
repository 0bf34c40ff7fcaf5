import { Alert, Switch } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isSettingOn } from '@/access/settings';
import { useUser } from '@/access/use-user';
import {
  areNotificationsAllowed,
  askForNotifications,
  showNotification,
} from '@/features/alerts/api/browser-notification';
import { useChangeSetting } from '../api/change-setting';

/** Why notifications stay off. */
type Refusal = 'notificationDenied' | 'notificationNotAllowed' | 'notificationUnsupported';

/** Turns notifications on, which asks for the permission of the browser, and off. */
export function NotificationSwitch() {
  const { t } = useTranslation('account');
  // The browser has the last word: it may allow on one device what it blocks on another.
  const isOn = isSettingOn(useUser(), 'setting.alert-notification') && areNotificationsAllowed();
  const { mutate } = useChangeSetting();
  const [refusal, setRefusal] = useState<Refusal>();
  const turnOff = (because?: Refusal) => {
    setRefusal(because);
    if (isOn) mutate({ name: 'setting.alert-notification', text: '' });
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
    mutate({ name: 'setting.alert-notification', text: 'on' });
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
