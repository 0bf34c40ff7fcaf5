import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useCatalogNames } from '@/components/use-catalog-names';
import { formatList } from '@/lib/format';

/** Writes ids of genders, ages and types of client as a list in the user's language; empty if there are none. */
export function useMeantFor(): (ids: readonly string[]) => string {
  const { i18n } = useTranslation();
  const names = useCatalogNames();
  return useCallback(
    (ids) =>
      formatList(
        ids.map((id) => names.service({ id, name: id })),
        i18n.language,
      ),
    [names, i18n.language],
  );
}
