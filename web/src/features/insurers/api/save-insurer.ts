import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';
import { insurersQuery } from './insurers-query';

/** What makes an insurance company. */
export type InsurerDraft = Schemas['NewInsuranceCompany'];

/** Adds an insurance company. One key for one form: a second press makes no second one. */
export function useCreateInsurer(idempotencyKey: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (draft: InsurerDraft) =>
      unwrap(client.POST('/api/InsuranceCompanies', { body: draft, headers: { 'Idempotency-Key': idempotencyKey } })),
    onSuccess: () => refreshInsurers(queryClient),
  });
}

/** Changes an insurance company; a newer version of someone else is not overwritten (412). */
export function useEditInsurer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (draft: InsurerDraft & { id: string; version: number }) =>
      unwrap(client.PUT('/api/InsuranceCompanies/{id}', { params: { path: { id: draft.id } }, body: draft })),
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
