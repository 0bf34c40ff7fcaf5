import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';

/** Key of an organization's cards. */
export const cardsKey = (organizationId: string) => ['cards', organizationId] as const;

/** The saved cards of an organization, the default first (spec B section 7). */
export function cardsQuery(organizationId: string) {
  return queryOptions({
    queryKey: cardsKey(organizationId),
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/Subscriptions/savedPaymentMethods', { params: { query: { organizationId } }, signal })),
  });
}
