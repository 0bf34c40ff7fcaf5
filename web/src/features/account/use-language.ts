import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { currentUserQuery } from '@/access/current-user';
import type { CurrentUser } from '@/access/user';
import { changeLanguage } from '@/i18n/i18n';
import { type Language, readPreference } from '@/lib/preferences';
import { useSaveLanguage } from './api/language';
import { settleLanguage } from './language.utils';

/** Switches the page to a language, and the mails of whoever is signed in with it. */
export function useChangeLanguage(): (language: Language) => void {
  const queryClient = useQueryClient();
  const { mutate } = useSaveLanguage();
  return useCallback(
    (language) => {
      void changeLanguage(language);
      // A failure changes nothing on the screen; the next sign-in tries again (useSettledLanguage).
      if (queryClient.getQueryData(currentUserQuery.queryKey)?.stage === 'full') mutate(language);
    },
    [mutate, queryClient],
  );
}

/** Once after the sign-in: page and mails get the same language, whichever was chosen by hand. */
export function useSettledLanguage({ language }: CurrentUser): void {
  const isSettled = useRef(false);
  const { mutate } = useSaveLanguage();
  useEffect(() => {
    if (isSettled.current) return;
    isSettled.current = true;
    const { page, mails } = settleLanguage(readPreference('language'), language);
    if (page) void changeLanguage(page);
    if (mails) mutate(mails);
  }, [language, mutate]);
}
