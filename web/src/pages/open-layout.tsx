import { useQuery } from '@tanstack/react-query';
import { currentUserQuery } from '@/access/current-user';
import { PublicLayout } from './public-layout';
import { SignedInLayout } from './signed-in-layout';

/** Pages for everyone: whoever is signed in keeps header, sidebar, Profile and Logout on them. */
export function OpenLayout() {
  const { data: user } = useQuery({ ...currentUserQuery, enabled: false });
  return user?.stage === 'full' ? <SignedInLayout /> : <PublicLayout />;
}
