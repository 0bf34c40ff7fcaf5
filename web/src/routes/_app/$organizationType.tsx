import { createFileRoute, Outlet, redirect } from '@tanstack/react-router';
import { organizationTypeRedirect } from '@/lib/organization-types';

/** Guards the type in the address: unknown ones and those of global admins lead others to their own list. */
export const Route = createFileRoute('/_app/$organizationType')({
  beforeLoad: ({ context: { user }, location }) => {
    const target = organizationTypeRedirect(location.href, user.isGlobal);
    if (target !== undefined) throw redirect({ href: target, replace: true });
  },
  component: Outlet,
});
