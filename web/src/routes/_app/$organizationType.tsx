import { createFileRoute, Outlet, redirect } from '@tanstack/react-router';
import i18next from 'i18next';
import { organizationTypeRedirect, parseOrganizationType } from '@/lib/organization-types';

/** Loaded for this alone: the sign-in page has this file, too, and no messages. */
async function sayNotFound(): Promise<void> {
  const { toast } = await import('@/components/toast');
  toast.error(i18next.t('error.notFoundTitle'));
}

/** Guards the type in the address: unknown ones and those of global admins lead others to their own list. */
export const Route = createFileRoute('/_app/$organizationType')({
  beforeLoad: ({ context: { user }, location, params, preload }) => {
    const target = organizationTypeRedirect(location.href, user.isGlobal);
    if (target === undefined) return;
    // The list is where the spec leads; that it is not what was asked for is said beside it.
    if (!preload && !parseOrganizationType(params.organizationType)) void sayNotFound();
    throw redirect({ href: target, replace: true });
  },
  component: Outlet,
});
