import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, keyHeader, type SaveContext, type Schemas, unwrap } from '@/api/client';
import { siteKeys } from '@/features/sites/api/keys';

/** Forgets the lists in which a site is counted or named. */
function useForgetLists() {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries({ queryKey: ['site-list'] });
    void queryClient.invalidateQueries({ queryKey: ['organizations'] });
  };
}

interface SiteToCreate {
  body: Schemas['NewSite'];
  context: Pick<SaveContext, 'key'>;
}

/** Creates a site (spec A section 7). */
export function useCreateSite(isCommercial: boolean) {
  const queryClient = useQueryClient();
  const forgetLists = useForgetLists();
  return useMutation({
    mutationFn: ({ body, context }: SiteToCreate) => {
      const options = { body, headers: keyHeader(context) };
      return unwrap(
        isCommercial ? client.POST('/api/Sites/commercial', options) : client.POST('/api/Sites/nonCommercial', options),
      );
    },
    onSuccess: (site) => queryClient.setQueryData(siteKeys.details(site.id), site),
    onSettled: forgetLists,
  });
}

/** Changes a site; a 412 says that somebody else changed it since `editVersion`. */
export function useEditSite({ id, isCommercial }: Pick<Schemas['SiteDetails'], 'id' | 'isCommercial'>) {
  const queryClient = useQueryClient();
  const forgetLists = useForgetLists();
  return useMutation({
    mutationFn: (body: Schemas['SiteEdit']) => {
      const options = { params: { path: { id } }, body };
      return unwrap(
        isCommercial
          ? client.PUT('/api/Sites/commercial/{id}', options)
          : client.PUT('/api/Sites/nonCommercial/{id}', options),
      );
    },
    onSuccess: (site) => queryClient.setQueryData(siteKeys.details(site.id), site),
    // After a refusal, too: it may be one because the site is no longer what the page shows.
    onError: () => queryClient.invalidateQueries({ queryKey: siteKeys.details(id) }),
    onSettled: forgetLists,
  });
}
