import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { currentUserQuery } from '@/access/current-user';
import { lazyNamed } from '@/components/lazy-named';
import { PublicFrame } from '@/features/shell/components/public-frame';

/** Not needed before somebody is known: the sign-in page stays small. */
const AccountTools = lazyNamed(() => import('./account-tools'), 'AccountTools');

/** The frame of the screens that need no sign-in; whoever is signed in, wholly or half, has the way out and the help. */
export function PublicLayout() {
  // What the routes have found out; the frame asks nothing by itself.
  const { data: user } = useQuery({ ...currentUserQuery, enabled: false });
  return (
    <PublicFrame tools={user ? <AccountTools isSignedIn={user.stage === 'full'} /> : null}>
      <Outlet />
    </PublicFrame>
  );
}
