import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, keyHeader, type SaveContext, unwrap } from '@/api/client';
import { refreshAccessUsers } from '@/features/users/api/keys';
import type { OwnerValues } from '../schema';

/** Who owns an organization, with what the caller may do to each (spec A section 7). */
export function ownersQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['organizations', organizationId, 'access-users'] as const,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET('/api/AccessUsers/organizationScopeUsers', {
          params: { query: { organizationId, Role: 'Owner' } },
          signal,
        }),
      ),
  });
}

interface OwnerInvitation {
  values: OwnerValues & {
    /** Invitation language. */
    language: 'en' | 'es';
  };
  context: SaveContext;
}

/** Invites an owner by mail. */
export function useInviteOwner(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ values, context }: OwnerInvitation) =>
      unwrap(
        client.POST('/api/AccessUsers/organizationScopeUsers', {
          body: { ...values, organizationId, role: 'Owner', redirectUri: `${location.origin}/login/callback` },
          headers: keyHeader(context),
        }),
      ),
    onSuccess: () => refreshAccessUsers(queryClient),
  });
}

/** How many people a page of the overview holds (spec A section 9): global admins and all others. */
const PAGE_SIZES = { admins: 300, users: 250 } as const;

/** All people of the platform in pages, found by a part of name or email; only global admins may see them. */
export function overviewUsersQuery(kind: keyof typeof PAGE_SIZES, search: string) {
  return infiniteQueryOptions({
    queryKey: ['overview', kind, search, 'access-users'] as const,
    queryFn: ({ pageParam, signal }) => {
      const query = {
        PageSize: PAGE_SIZES[kind],
        PageNumber: pageParam,
        ...(search ? { search } : {}),
        ...(kind === 'admins' ? { Role: 'GlobalAdmin' as const } : {}),
      };
      return unwrap(client.GET('/api/AccessUsers', { params: { query }, signal }));
    },
    initialPageParam: 1,
    getNextPageParam: (last) => (last.hasNextPage ? last.page + 1 : undefined),
  });
}
