import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Action, can, type Subject } from './can';
import { currentUserQuery } from './current-user';
import type { CurrentUser } from './user';

/**
 * The signed-in user. Only below the signed-in layout, whose guard has loaded it. When the session ends, the screen
 * stays for the moment in which /login loads; it then still sees who was there.
 */
export function useUser(): CurrentUser {
  const { data } = useSuspenseQuery(currentUserQuery);
  const [last, setLast] = useState(data);
  if (data && data !== last) setLast(data);
  const user = data ?? last;
  if (!user) throw new Error('useUser was called outside the signed-in layout.');
  return user;
}

/** Whether the signed-in user may do this to that object. */
export function useCan(action: Action, subject?: Subject): boolean {
  return can(useUser(), action, subject);
}
