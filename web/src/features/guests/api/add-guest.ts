import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';
import { guestKeys } from './keys';
import { withGuest } from './with-guest';

/** The new guest payload of spec B section 3. Genders: 1 male, 2 female, else 0; age groups 1 to 3. */
export interface NewGuestBody {
  siteId: string;
  source: 'Admin';
  gender: number;
  ageGroup?: number;
  ageServiceId: string;
  firstName: string;
  lastName: string;
  phone: string;
  email: string;
  location?: string;
  serviceIds: string[];
  typeOfClientServiceId?: string;
  paymentMethod?: number;
  mediCalChoice?: string;
  insuranceCompanyId?: string;
  policyNumber?: string;
  groupNumber?: string;
  /** A third active reservation of one person, knowingly. */
  allowThird?: boolean;
}

/** A guest to add, with the key of the form instance it comes from: a repeated send adds the guest once. */
export interface GuestToAdd {
  body: NewGuestBody;
  idempotencyKey: string;
}

/** Adds a guest by hand (spec B section 7). A 409 has the code `third-reservation` or `no-vacant-beds`. */
export function useAddGuest(siteId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: GuestToAdd) =>
      unwrap(
        client.POST('/api/Guests', {
          body: body as Schemas['NewGuest'],
          headers: { 'Idempotency-Key': idempotencyKey },
        }),
      ),
    onSuccess: (guest) =>
      queryClient.setQueryData<readonly Schemas['Guest'][]>(
        guestKeys.list(siteId),
        (guests) => guests && withGuest(guests, guest),
      ),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['sites', siteId] });
      void queryClient.invalidateQueries({ queryKey: ['site-list'] });
    },
  });
}
