import { type Mutation, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
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

const KEY = ['setting'];

/** Returns true while a choice is on its way to the server. */
export function isChangingSetting(queryClient: QueryClient): boolean {
  return queryClient.isMutating({ mutationKey: KEY }) > 0;
}

/** Changes a setting of the user. It applies at once, and as the server has it again if that does not store it. */
export function useChangeSetting() {
  const { t } = useTranslation('shell');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const user = () => queryClient.getQueryData(currentUserQuery.queryKey);
  const show = ({ name, text }: Choice) =>
    queryClient.setQueryData(currentUserQuery.queryKey, (shown) =>
      shown ? { ...shown, views: { ...shown.views, [name]: text } } : shown,
    );
  /** The text that the server has stored, kept while choices are on their way. */
  const stored = (name: Setting) => [...KEY, name];
  /** Returns true if a choice about this setting is on its way besides the one that asks. */
  const hasOthers = (name: Setting) => {
    const predicate = ({ state }: Mutation) => (state.variables as Choice).name === name;
    return queryClient.isMutating({ mutationKey: KEY, predicate }) > 1;
  };
  return useMutation({
    mutationKey: KEY,
    // One after the other, so that the last choice is the one that stays.
    scope: { id: 'settings' },
    mutationFn: (choice: Choice) => unwrap(client.PUT('/api/Users/views', { body: choice })),
    onMutate: (choice) => {
      const before = user();
      if (before && !hasOthers(choice.name)) {
        queryClient.setQueryData(stored(choice.name), readSetting(before, choice.name));
      }
      show(choice);
      // What is being loaded would bring back the old text.
      void queryClient.cancelQueries({ queryKey: currentUserQuery.queryKey });
    },
    onSuccess: (_, { name, text }) => void queryClient.setQueryData(stored(name), text),
    onError: (error, { name }) => {
      // The session is over.
      if (!user()) return;
      // A later choice has taken its place otherwise.
      if (!hasOthers(name)) show({ name, text: queryClient.getQueryData<string>(stored(name)) ?? '' });
      toast.error(t('settingNotSaved', { reason: errorText(error) }));
    },
  });
}
