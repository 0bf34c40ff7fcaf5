import { Outlet } from '@tanstack/react-router';

/** The frame of every signed-in screen. */
export function SignedInLayout() {
  return (
    <main id="main">
      <Outlet />
    </main>
  );
}
