import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { currentUserQuery } from '@/access/current-user';
import { isSettingOn } from '@/access/settings';
import { messageSettingsQuery } from '@/features/account/api/messages';
import { serverNow } from '@/lib/clock';
import { isUserForgotten } from '@/lib/session-end';
import { isQuiet } from '../alerts.utils';
import { areNotificationsAllowed, showNotification } from './browser-notification';
import { playSound } from './sound';

/** Time after which the quiet hours are loaded again, in milliseconds. */
const QUIET_HOURS_STALE_MILLISECONDS = 5 * 60_000;

interface AtSite {
  timeZone: string;
}

/**
 * Returns the way to tell news beyond the screen, by the sound and the notification that the user chose.
 * Where it is quiet hours nothing is told; `textOf` says the rest, without any name of a guest.
 */
export function useAlert() {
  const queryClient = useQueryClient();
  const { navigate } = useRouter();
  return useCallback(
    async <News extends AtSite>(tag: string, news: readonly News[], textOf: (loud: readonly News[]) => string) => {
      const user = queryClient.getQueryData(currentUserQuery.queryKey);
      const hasSound = user && isSettingOn(user, 'setting.alert-sound');
      const hasNotification = user && isSettingOn(user, 'setting.alert-notification');
      if (news.length === 0 || !(hasSound || hasNotification)) return;
      const hours = await queryClient
        .fetchQuery({ ...messageSettingsQuery, staleTime: QUIET_HOURS_STALE_MILLISECONDS })
        // If the quiet hours cannot be loaded, use those loaded last, or stay silent: the message on the screen is enough.
        .catch(() => queryClient.getQueryData(messageSettingsQuery.queryKey));
      if (!hours || isUserForgotten()) return;
      const loud = news.filter(({ timeZone }) => !isQuiet(hours, serverNow(), timeZone));
      if (loud.length === 0) return;
      if (hasSound) playSound();
      // A tab with the focus shows the message already.
      if (hasNotification && areNotificationsAllowed() && !document.hasFocus()) {
        showNotification(textOf(loud), tag, () => void navigate({ to: '/today' }));
      }
    },
    [queryClient, navigate],
  );
}
