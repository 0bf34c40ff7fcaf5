import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';
import { cardsKey } from './cards-query';

/** Asks the server for the secret with which the browser gives a card to the card provider. */
export function useBeginSetup(organizationId: string) {
  return useMutation({
    mutationFn: (email: string | undefined) =>
      unwrap(client.POST('/api/Stripe/setup-intent', { body: { organizationId, ...(email ? { email } : {}) } })),
  });
}

/** A card that the card provider has. */
interface NewCard {
  externalSavedPaymentMethodId: string;
  /** For the first card. */
  email: string | undefined;
}

/** Saves it with the organization. */
export function useAddCard(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ email, externalSavedPaymentMethodId }: NewCard) =>
      unwrap(
        client.POST('/api/Subscriptions/savedPaymentMethods', {
          body: { organizationId, externalSavedPaymentMethodId, ...(email ? { email } : {}) },
        }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: cardsKey(organizationId) }),
  });
}

/** Makes a card the default; the answer is the list as it now is. */
export function useMakeDefault(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (savedPaymentMethodId: string) =>
      unwrap(
        client.PUT('/api/Subscriptions/savedPaymentMethods/default', {
          body: { organizationId, savedPaymentMethodId },
        }),
      ),
    onSuccess: (cards) => queryClient.setQueryData(cardsKey(organizationId), cards),
    onError: () => queryClient.invalidateQueries({ queryKey: cardsKey(organizationId) }),
  });
}

/** Removes a card; another one becomes the default if it was that. */
export function useRemoveCard(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      unwrap(client.DELETE('/api/Subscriptions/savedPaymentMethods/{id}', { params: { path: { id } } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: cardsKey(organizationId) }),
  });
}

/** Opens the card provider's page of the organization, which leads back to the cards and the reservation that waits. A failure is logged (spec B section 8); the screen shows it, too. */
export function useOpenPortal(organizationId: string, reservation?: string) {
  return useMutation({
    mutationFn: () =>
      unwrap(client.GET('/api/Stripe/customer-portal', { params: { query: { organizationId, reservation } } })),
    onSuccess: ({ url }) => {
      if (/^https?:\/\//.test(url)) location.assign(url);
    },
    onError: (error) => {
      // oxlint-disable-next-line no-console -- Failures of the portal are logged (spec B section 8).
      console.error('The billing page cannot be opened.', error);
    },
  });
}
