import { isMantineColorScheme, type MantineColorSchemeManager } from '@mantine/core';
import { readPreference, writePreference } from '@/lib/preferences';

/** Lets the kit keep its colour scheme in our one storage module. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: (defaultValue) => {
    const stored = readPreference('colorScheme');
    return isMantineColorScheme(stored) ? stored : defaultValue;
  },
  set: (value) => writePreference('colorScheme', value),
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
};
