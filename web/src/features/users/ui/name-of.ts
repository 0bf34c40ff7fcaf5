import type { AccessUser } from '../api/types';

/** A name and the e-mail address of its person. */
type Named = Pick<AccessUser, 'firstName' | 'lastName'> & { user: Pick<AccessUser['user'], 'email'> };

/** What a person is called in sentences: the name, else the e-mail address. */
export function nameOf({ firstName, lastName, user }: Named): string {
  return `${firstName} ${lastName}`.trim() || user.email;
}
