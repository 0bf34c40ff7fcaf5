import type { Schemas } from '@/api/client';

/** What placement rules look at; ages and types of client are not known of every guest in a bed. */
export interface Person {
  readonly gender: Schemas['Gender'];
  readonly age?: Pick<Schemas['Service'], 'id'> | null;
  readonly typeOfClient?: Pick<Schemas['Service'], 'id'> | null;
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
