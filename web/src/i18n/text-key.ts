import type { ParseKeys } from 'i18next';
import type { Namespace } from './i18n';

/** A key with its namespace, e.g. `insurers:error.name`. Schemas use keys as messages, so that errors follow the language. */
export type TextKey = string & { readonly __isTextKey: true };

/** Returns a function that makes keys of one namespace; an unknown key does not compile. */
export function textKeys<Name extends Namespace>(namespace: Name): (key: ParseKeys<Name>) => TextKey {
  return (key) => `${namespace}:${String(key)}` as TextKey;
}
