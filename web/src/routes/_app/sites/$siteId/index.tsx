import { createFileRoute, redirect } from '@tanstack/react-router';
import { orNotFound } from '@/api/or-not-found';
import { siteQuery } from '@/features/sites/api/site-query';
import { organizationTypeFor } from '@/lib/organization-types';

/** The short address of a site leads to its page below the organization. */
export const Route = createFileRoute('/_app/sites/$siteId/')({
  loader: async ({ context: { queryClient, user }, params }) => {
    const site = await orNotFound(queryClient.ensureQueryData(siteQuery(params.siteId)));
    throw redirect({
      to: '/$organizationType/$organizationId/$siteId',
      params: {
        organizationType: organizationTypeFor(user.isGlobal, site.isCommercial),
        organizationId: site.organizationId,
        siteId: site.id,
      },
      replace: true,
    });
  },
});
