import type { SiteField, SiteFormValues } from './site-form.schema';
import { changedFields } from './site-payload.utils';

/** What stands in the form when somebody else has changed the site since it was opened. */
export interface Merged {
  /** The new record, with what was typed here over it. */
  values: SiteFormValues;
  /** The fields that were typed here. */
  mine: SiteField[];
}

/** A place is its label and its id: they change together. */
const TOGETHER: Partial<Record<SiteField, SiteField>> = { address: 'placeId', placeId: 'address' };

/** Puts what was typed since `base` over the record as others left it. */
export function mergeEdits(base: SiteFormValues, typed: SiteFormValues, fresh: SiteFormValues): Merged {
  const changed = changedFields(base, typed);
  const partners = changed.map((field) => TOGETHER[field]).filter((field) => field !== undefined);
  const mine = [...new Set([...changed, ...partners])];
  return { values: { ...fresh, ...Object.fromEntries(mine.map((field) => [field, typed[field]])) }, mine };
}
