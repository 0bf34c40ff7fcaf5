import type { Schemas } from '@/api/client';

/** A role, as the API spells it. */
export type Role = Schemas['Role'];

/** A person's place at a site, in an organization or on the platform (spec A section 3). */
export type AccessUser = Schemas['AccessUser'];
