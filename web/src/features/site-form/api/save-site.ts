import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';
import { siteKeys } from '@/features/sites/api/keys';

/** A site as the edit page needs it. */
export type EditableSite = Schemas['SiteDetails'] & { editVersion: number };

interface SiteFields {
  name: string;
  alias: string | null;
  description: string;
  address: string;
  placeId: string | null;
  contactPhone: string;
  contactEmail: string;
  contactWeb: string | null;
  intakePeriods: { timePeriod: string; from: string | null; to: string | null; enabled: boolean }[];
  showDaysOfWeek: boolean;
  screeningPeriod: string;
  languageIds: string[];
  serviceIds: string[];
  nonCommercialPaymentMethodIds: string[];
  images: { imagePath: string; index: number }[];
  insuranceIds: string[];
}
export interface NewSite extends SiteFields {
  organizationId: string;
  adminEmail: string;
  adminFirstName: string;
  adminLastName: string;
  rooms: { name: string; imagePath: string | null; beds: { type: string; count: number }[] }[];
  redirectUri: string;
}
export interface SiteEdit extends SiteFields {
  id: string;
  isDisabled: boolean;
  lengthOfStayDaysMin: null;
  lengthOfStayDaysMax: null;
  editVersion: number;
}

/** Forgets the lists in which a site is counted or named. */
function useForgetLists() {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries({ queryKey: ['site-list'] });
    void queryClient.invalidateQueries({ queryKey: ['organizations'] });
  };
}

/** Creates a site (spec A section 7). The key of the form instance makes a repeated send create it once. */
export function useCreateSite(isCommercial: boolean) {
  const queryClient = useQueryClient();
  const forgetLists = useForgetLists();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { body: NewSite; idempotencyKey: string }): Promise<EditableSite> => {
      const options = { body, headers: { 'Idempotency-Key': idempotencyKey } } as never;
      const path = isCommercial ? '/api/Sites/commercial' : '/api/Sites/nonCommercial';
      return unwrap(client.POST(path as never, options));
    },
    onSuccess: (site) => queryClient.setQueryData(siteKeys.details(site.id), site),
    onSettled: forgetLists,
  });
}

/** Changes a site; a 412 says that somebody else changed it since `editVersion`. */
export function useEditSite(isCommercial: boolean) {
  const queryClient = useQueryClient();
  const forgetLists = useForgetLists();
  return useMutation({
    mutationFn: (body: SiteEdit): Promise<EditableSite> => {
      const options = { params: { path: { id: body.id } }, body } as never;
      const path = isCommercial ? '/api/Sites/commercial/{id}' : '/api/Sites/nonCommercial/{id}';
      return unwrap(client.PUT(path as never, options));
    },
    onSuccess: (site) => queryClient.setQueryData(siteKeys.details(site.id), site),
    // After a refusal, too: it may be one because the site is no longer what the page shows.
    onError: (_error, { id }) => queryClient.invalidateQueries({ queryKey: siteKeys.details(id) }),
    onSettled: forgetLists,
  });
}
