import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';

/** The insurance companies of the platform, top ones first, then by name (spec B section 7). */
export const insurersQuery = queryOptions({
  queryKey: ['insurers'] as const,
  queryFn: ({ signal }) => unwrap(client.GET('/api/InsuranceCompanies', { signal })),
});
