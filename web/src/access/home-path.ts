import { isSettingOn } from './settings';
import type { CurrentUser } from './user';

/**
 * The start page of a signed-in user (spec A section 2): the free list for the global admin, else organizations; Today for
 * whoever chose it.
 */
export function homePath(user: CurrentUser): '/free-rehabs' | '/organizations' | '/today' {
  if (isSettingOn(user, 'setting.start-today')) return '/today';
  return user.isGlobal ? '/free-rehabs' : '/organizations';
}
