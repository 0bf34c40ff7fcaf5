import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, NetworkError, UnauthorizedError } from '@/api/errors';

/**
 * The one place that handles a 401: `onSignedOut` ends the session (guide web, section 8).
 * Calls that fail because of the network or the server are tried twice more; refusals are not.
 *
 * Without a network a change fails at once. React Query would keep it and send it later, when nobody expects it any more:
 * a card would be charged behind a dialog that says nothing. Changes that wait on purpose do so in `guestCommands`.
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const handle = (error: Error) => {
    if (error instanceof UnauthorizedError) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: handle }),
    mutationCache: new MutationCache({ onError: handle }),
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
