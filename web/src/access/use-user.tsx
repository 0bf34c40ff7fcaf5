import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Action, can, type Subject } from './can';
import { currentUserQuery } from './current-user';
import type { CurrentUser } from './user';

/** The signed-in user. Only below the signed-in layout, whose guard has loaded it. */
export function useUser(): CurrentUser {
  const { data } = useSuspenseQuery(currentUserQuery);
  if (!data) throw new Error('useUser was called outside the signed-in layout.');
  return data;
}

/** Whether the signed-in user may do this to that object. */
export function useCan(action: Action, subject?: Subject): boolean {
  return can(useUser(), action, subject);
}

interface CanProps {
  action: Action;
  subject?: Subject;
  children: ReactNode;
}

/** Shows its children only to those who may. */
export function Can({ action, subject, children }: CanProps) {
  return useCan(action, subject) ? children : null;
}
