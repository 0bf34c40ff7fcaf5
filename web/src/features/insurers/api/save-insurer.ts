import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, keyHeader, type SaveContext, unwrap } from '@/api/client';
import type { InsurerValues } from '../schema';
import { insurersQuery } from './insurers-query';

interface InsurerToSave {
  values: InsurerValues;
  context: SaveContext;
}

/** Adds an insurance company, or changes the one with this id; a newer version of someone else is not overwritten (412). */
export function useSaveInsurer(id: string | undefined) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ values: { name, logoPath, isPrimary }, context }: InsurerToSave) => {
      const body = { name, logoPath: logoPath ?? '', isPrimary };
      return unwrap(
        id === undefined
          ? client.POST('/api/InsuranceCompanies', { body, headers: keyHeader(context) })
          : client.PUT('/api/InsuranceCompanies/{id}', {
              params: { path: { id } },
              body: { ...body, id, version: context.version },
            }),
      );
    },
    onSettled: () => refreshInsurers(queryClient),
  });
}

/** Removes an insurance company from the platform and from the lists of all organizations. */
export function useDeleteInsurer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => unwrap(client.DELETE('/api/InsuranceCompanies/{id}', { params: { path: { id } } })),
    onSettled: () => refreshInsurers(queryClient),
  });
}

/** Insurers show in their list, at organizations and on the pages of sites. */
async function refreshInsurers(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: insurersQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: ['organizations'] }),
    queryClient.invalidateQueries({ queryKey: ['sites'] }),
  ]);
}
