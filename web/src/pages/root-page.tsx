import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Below every screen: after each navigation to another path the heading receives the focus. */
export function RootPage() {
  const router = useRouter();
  useEffect(() => {
    let isFirst = true;
    return router.subscribe('onRendered', ({ pathChanged }) => {
      if (!isFirst && pathChanged) {
        document.querySelector<HTMLElement>('[data-page-heading]')?.focus({ preventScroll: true });
      }
      isFirst = false;
    });
  }, [router]);
  return <Outlet />;
}
