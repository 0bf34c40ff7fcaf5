import type { CurrentUser } from '@/access/user';
import type { Schemas } from '@/api/client';

/** The commercial organizations that a user owns, in the order of their names. */
export function payingOrganizations(
  user: CurrentUser,
  organizations: readonly Schemas['Organization'][],
): readonly Schemas['Organization'][] {
  return organizations.filter(({ id, isCommercial }) => isCommercial && user.ownerOrganizationIds.has(id));
}
