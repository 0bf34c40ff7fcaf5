import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { currentUserQuery } from '@/access/current-user';
import { checkUser } from '@/access/end-session';
import { useUser } from '@/access/use-user';
import { hasRole } from '@/access/user';
import { NotOpened } from '@/components/dialog/not-opened';
import { lazyNamed, NotOpenedContext } from '@/components/lazy-named';
import { PageSkeleton } from '@/components/skeletons';
import { IdleDialog } from '@/features/account/components/idle-dialog';
import { SignOutGuard } from '@/features/account/components/sign-out-guard';
import { useChangeLanguage, useSettledLanguage } from '@/features/account/use-language';
import { guestCommands } from '@/features/guests/api/guest-commands';
import { AppFrame } from '@/features/shell/components/app-frame';
import { useNavigation } from '@/features/shell/components/sidebar';
import { useExplainPage } from '@/features/tour/ui/use-explain-page';
import { noteUserShown } from '@/lib/session-end';
import { safeReturnPath } from '@/lib/return-path';
import { useLiveConnection } from '@/live/use-live';
import { PlacementReason } from './placement-reason';

/** Asked of few, and once. */
const NameDialog = lazyNamed(() => import('@/features/account/components/name-dialog'), 'NameDialog', {
  optional: true,
});

/** No screen waits for it; it takes the free part of the header, so that nothing moves when it arrives. */
const SearchTools = lazyNamed(() => import('./search-tools'), 'SearchTools', { optional: true });

/** Nobody asked for it: no screen waits for it. */
const Arrivals = lazyNamed(() => import('./arrivals'), 'Arrivals', { texts: ['alerts'], optional: true });

/** The signed-in screens; nothing of them from the moment the session ends. */
export function SignedInLayout() {
  const { data: user } = useSuspenseQuery(currentUserQuery);
  return user ? <SignedInFrame /> : <PageSkeleton />;
}

/** The frame of every signed-in screen: shell, live connection, idle sign-out, tour. */
function SignedInFrame() {
  const user = useUser();
  // Before anything on the screen has something to say.
  useLayoutEffect(noteUserShown, [user.id]);
  const router = useRouter();
  const handleLanguage = useChangeLanguage();
  useSettledLanguage(user);
  const queryClient = useQueryClient();

  // A refused stream may mean that the session is over; the stream itself cannot tell.
  const handleRefused = useCallback(() => {
    void checkUser(queryClient);
  }, [queryClient]);
  const isMember = hasRole(user);
  const liveStatus = useLiveConnection(handleRefused, isMember);
  // The connection is back: what waits for an answer asks again now, not at its next turn.
  useEffect(() => {
    if (liveStatus === 'live') guestCommands.askAll();
  }, [liveStatus]);
  const explain = useExplainPage();
  const screens = useNavigation();
  const [waiting, setWaiting] = useState<number>();

  const handleSignOut = (reason: 'idle' | 'wanted') => {
    const returnTo = reason === 'idle' ? safeReturnPath(router.state.location.href) : undefined;
    const search = reason === 'idle' ? { reason: 'idle' as const, returnTo } : {};
    void router.navigate({ to: '/logout', search });
  };

  return (
    <NotOpenedContext value={NotOpened}>
      <AppFrame
        liveStatus={liveStatus}
        waiting={waiting}
        search={isMember ? <SearchTools screens={screens} /> : null}
        onExplain={explain}
        onLanguage={handleLanguage}
      >
        <Outlet />
        <Arrivals onWaiting={setWaiting} />
        <PlacementReason />
        <SignOutGuard />
        {isMember && !(user.firstName && user.lastName) ? <NameDialog /> : null}
        <IdleDialog idleMinutes={user.idleMinutes} onSignOut={handleSignOut} />
      </AppFrame>
    </NotOpenedContext>
  );
}
