import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import type { AnyMutation } from '@/access/end-session';
import { ApiError, NetworkError, UnauthorizedError } from '@/api/errors';

/**
 * The one place that handles a 401: `onSignedOut` ends the session (guide web, section 8). It gets the change that was refused, if
 * it was one.
 * Calls that fail because of the network or the server are tried twice more; refusals are not.
 *
 * Without a network a change fails at once. React Query would keep it and send it later, when nobody expects it any more:
 * a card would be charged behind a dialog that says nothing. Changes that wait on purpose do so in `guestCommands`.
 */
export function createQueryClient(onSignedOut: (refused?: AnyMutation) => void): QueryClient {
  const handle = (error: Error, refused?: AnyMutation) => {
    if (error instanceof UnauthorizedError) onSignedOut(refused);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error) => handle(error) }),
    mutationCache: new MutationCache({
      onError: (error, _values, _onMutate, mutation) => handle(error, mutation),
    }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // Live events tell what changed; a focus event would only ask again for the same.
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 2 && isTransient(error),
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

function isTransient(error: Error): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && error.status >= 500);
}
