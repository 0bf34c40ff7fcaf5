import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { currentUserQuery } from '@/access/current-user';
import { readSetting, type Setting } from '@/access/settings';
import { client, unwrap } from '@/api/client';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';

interface Choice {
  name: Setting;
  text: string;
}

/** Changes a setting of the user. It applies at once, and as before again if the server does not store it. */
export function useChangeSetting() {
  const { t } = useTranslation('shell');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const user = () => queryClient.getQueryData(currentUserQuery.queryKey);
  const show = ({ name, text }: Choice) =>
    queryClient.setQueryData(currentUserQuery.queryKey, (shown) =>
      shown ? { ...shown, views: { ...shown.views, [name]: text } } : shown,
    );
  return useMutation({
    // One after the other, so that the last choice is the one that stays.
    scope: { id: 'settings' },
    mutationFn: (choice: Choice) => unwrap(client.PUT('/api/Users/views', { body: choice })),
    onMutate: (choice) => {
      const before = user();
      show(choice);
      // What is being loaded would bring back the old text.
      void queryClient.cancelQueries({ queryKey: currentUserQuery.queryKey });
      return before && readSetting(before, choice.name);
    },
    onError: (error, { name, text }, before) => {
      const now = user();
      // The session is over.
      if (!now) return;
      // A later choice has taken its place otherwise.
      if (readSetting(now, name) === text) show({ name, text: before ?? '' });
      toast.error(t('settingNotSaved', { reason: errorText(error) }));
    },
  });
}
