import type { Language } from '@/lib/preferences';

/**
 * What has to change so that page and mails speak one language. What was chosen in this browser wins. Without a choice
 * here the account's Spanish is one, since English is only what accounts begin with.
 */
export function settleLanguage(
  chosenHere: Language | undefined,
  ofAccount: Language,
): { page?: Language; mails?: Language } {
  if (chosenHere) return chosenHere === ofAccount ? {} : { mails: chosenHere };
  return ofAccount === 'es' ? { page: 'es' } : {};
}
