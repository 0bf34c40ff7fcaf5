import { useCallback } from 'react';
import { useCatalogNames } from '@/components/use-catalog-names';
import { inOrder } from './meant-for.utils';

/** Names ids of genders, ages and types of client in the user's language; empty if there are none. */
export function useMeantFor(): (ids: readonly string[]) => string {
  const names = useCatalogNames();
  return useCallback(
    (ids) =>
      inOrder(ids)
        .map((id) => names.service({ id, name: id }))
        .join(', '),
    [names],
  );
}
