import { Outlet } from '@tanstack/react-router';
import { PublicFrame } from '@/features/shell/components/public-frame';

/** The frame of the screens that need no sign-in. */
export function PublicLayout() {
  return (
    <PublicFrame>
      <Outlet />
    </PublicFrame>
  );
}
