import type { Schemas } from '@/api/client';

/** What placement rules look at; ages and types of client are not known of every guest in a bed. */
export interface Person {
  readonly gender: Schemas['Gender'];
  readonly age?: Pick<Schemas['Service'], 'id'> | null;
  readonly typeOfClient?: Pick<Schemas['Service'], 'id'> | null;
}

/** Ids of the genders, ages and types of client that a house can be for, by group. */
export const MEANT_FOR_GROUPS = [
  ['gender-male', 'gender-female', 'gender-other'],
  ['age-under-18', 'age-18-26', 'age-over-27'],
  ['adults', 'young-adults', 'professionals', 'veterans', 'court-ordered'],
] as const;

const ORDER: readonly string[] = MEANT_FOR_GROUPS.flat();

/** The ids as a list names them: genders, ages, types of client. */
export function inOrder(ids: readonly string[]): readonly string[] {
  return ids.toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
}

const GENDERS = { Male: 'gender-male', Female: 'gender-female', Other: 'gender-other' } as const;

/** Genders and ages have ids that say so; the other ids are types of client. */
const categoryOf = (id: string) => /^(gender|age)-/.exec(id)?.[1] ?? 'client';

/** The ids of what speaks against a guest in this house, by its rules: gender, age, type of client. */
export function misfitsOf({ meantFor }: Pick<Schemas['Room'], 'meantFor'>, person: Person): readonly string[] {
  const traits = [GENDERS[person.gender], person.age?.id, person.typeOfClient?.id];
  return traits.filter((id): id is string => {
    if (id === undefined) return false;
    const allowed = meantFor.filter((one) => categoryOf(one) === categoryOf(id));
    return allowed.length > 0 && !allowed.includes(id);
  });
}
