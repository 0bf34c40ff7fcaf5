import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ForbiddenError, NotFoundError } from '@/api/errors';
import { siteQuery } from '@/features/sites/api/site-query';

/**
 * Calls `tell` if a form goes with its site while it is unsaved: the site was deleted, or the user's access has ended. An error
 * takes the place of the page then, without a question (`live/forget-lost-sites`).
 */
export function useTellSiteLost(siteId: string, isUnsaved: boolean, tell: () => void): void {
  const queryClient = useQueryClient();
  const latest = useRef({ isUnsaved, tell });
  useEffect(() => {
    latest.current = { isUnsaved, tell };
  });
  useEffect(
    () => () => {
      const error = queryClient.getQueryState(siteQuery(siteId).queryKey)?.error;
      const isLost = error instanceof NotFoundError || error instanceof ForbiddenError;
      if (isLost && latest.current.isUnsaved) latest.current.tell();
    },
    [queryClient, siteId],
  );
}
