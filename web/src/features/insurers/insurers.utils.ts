import type { Schemas } from '@/api/client';
import { contains } from '@/lib/text';

export type Insurer = Schemas['ListedInsuranceCompany'];

/** What stands over the list. */
export type InsurerDialog =
  | { kind: 'create' }
  | { kind: 'edit'; insurer: Insurer }
  | { kind: 'delete'; insurer: Insurer };

/** Cards on a page (spec B section 9). */
export const PAGE_SIZE = 21;

/** The cards of a page of those whose name has `search` in it; a page behind the last one is the last one. */
export function pageOf(insurers: readonly Insurer[], search: string, page: number) {
  const found = insurers.filter(({ name }) => contains(name, search));
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const shown = Math.min(page, pages);
  return { found: found.length, pages, page: shown, cards: found.slice((shown - 1) * PAGE_SIZE, shown * PAGE_SIZE) };
}
