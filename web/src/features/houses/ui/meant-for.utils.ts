import type { Schemas } from '@/api/client';

/** What placement rules look at; ages and types of client are not known of every guest in a bed. */
export interface Person {
  readonly gender: Schemas['Gender'];
  readonly age?: Pick<Schemas['Service'], 'id'> | null;
  readonly typeOfClient?: Pick<Schemas['Service'], 'id'> | null;
}

/** Ids of the genders, ages and types of client that a house can be for, by group. */
export const MEANT_FOR_GROUPS = [
  { kind: 'gender', ids: ['gender-male', 'gender-female', 'gender-other'] },
  { kind: 'age', ids: ['age-under-18', 'age-18-26', 'age-over-27'] },
  { kind: 'client', ids: ['adults', 'young-adults', 'professionals', 'veterans', 'court-ordered'] },
] as const;

const ORDER: readonly string[] = MEANT_FOR_GROUPS.flatMap(({ ids }) => ids);

/** The ids as a list names them: genders, ages, types of client. */
export function inOrder(ids: readonly string[]): readonly string[] {
  return ids.toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
}

const GENDERS = { Male: 'gender-male', Female: 'gender-female', Other: 'gender-other' } as const;

/** Genders and ages have ids that say so; the other ids are types of client. */
const categoryOf = (id: string) => /^(gender|age)-/.exec(id)?.[1] ?? 'client';

/** Whom the beds of a site are for, and what becomes of a placement against that (docs/decisions/0068). */
export interface PlacementRules {
  /** Ids that each house of a strict site is limited to; empty at a site that only warns. */
  readonly ofSite: readonly string[];
  /** `warned`: a site that only warns; `needs-reason`: the user gives a reason; `refused`: the user may not do it. */
  readonly breach: 'warned' | 'needs-reason' | 'refused';
}

const TRAITS: ReadonlySet<Schemas['Service']['category']> = new Set(['Gender', 'Age', 'Client']);

/** The placement rules of a site, for a user who may override them or not. */
export function placementRules(
  { services, strictPlacement }: Pick<Schemas['SiteDetails'], 'services' | 'strictPlacement'>,
  mayOverride: boolean,
): PlacementRules {
  if (!strictPlacement) return { ofSite: [], breach: 'warned' };
  return {
    ofSite: services.filter(({ category }) => TRAITS.has(category)).map(({ id }) => id),
    breach: mayOverride ? 'needs-reason' : 'refused',
  };
}

const allows = (rule: readonly string[], id: string) => {
  const allowed = rule.filter((one) => categoryOf(one) === categoryOf(id));
  return allowed.length === 0 || allowed.includes(id);
};

/**
 * The ids of what speaks against a guest in this house: gender, age, type of client. By the rules of the house, and of its
 * site if that is strict.
 */
export function misfitsOf(
  { meantFor }: Pick<Schemas['Room'], 'meantFor'>,
  person: Person,
  { ofSite }: Pick<PlacementRules, 'ofSite'>,
): readonly string[] {
  const traits = [GENDERS[person.gender], person.age?.id, person.typeOfClient?.id];
  return traits.filter((id): id is string => id !== undefined && !(allows(meantFor, id) && allows(ofSite, id)));
}

/** Returns true if the user cannot place this guest in this house: neither as it is nor with a reason. */
export function isRefused(room: Pick<Schemas['Room'], 'meantFor'>, person: Person, rules: PlacementRules): boolean {
  return rules.breach === 'refused' && misfitsOf(room, person, rules).length > 0;
}
