import type { components } from '@/api/schema';
import type { Person, PlacementRules } from '@/features/houses/ui/meant-for.utils';
import type { BedWaiting } from '@/features/houses/ui/bed-tile.utils';

export type Bed = components['schemas']['Bed'];
export type Room = components['schemas']['Room'];
export type GuestShort = components['schemas']['GuestShort'];
export type Guest = components['schemas']['Guest'];
export type SiteDetails = components['schemas']['SiteDetails'];

/** A bed as a sentence names it. */
export interface Place {
  readonly bedId: string;
  readonly bedName: string;
  readonly houseName: string;
}

/** A guest whose reservation is pending, with what is left of its hold. */
export type WaitingGuest = GuestShort & Pick<Guest, 'expiresAt' | 'createdAt'>;

/** What the board shows: the site's houses with their beds, and the guests who have no bed yet. */
export interface Board {
  readonly houses: readonly Room[];
  /** The most urgent first. */
  readonly waiting: readonly WaitingGuest[];
}

/** A move that may be asked for: onto a vacant bed, or an exchange with the guest of an occupied one. */
export interface Plan {
  readonly kind: 'assign' | 'swap';
  readonly guest: GuestShort;
  /** Null for a guest who has no bed yet. */
  readonly from: Place | null;
  readonly to: Place;
  /** The guest who holds `to` in a swap. */
  readonly other: GuestShort | null;
}

/** What a bed answers when one guest is offered to it; `barred`: by the placement rules, for this user. */
export type Verdict = 'assign' | 'swap' | 'own' | 'disabled' | 'occupied' | 'barred';

/** What decides whether beds are for guests (docs/decisions/0068). */
export interface BoardRules extends PlacementRules {
  /** The guests of the site by id: of a guest in a bed the board itself knows only the gender. */
  readonly people: ReadonlyMap<string, Person>;
}

/** A guest who would get a bed that is not for them, and what speaks against it. */
export interface Misplaced {
  readonly guest: string;
  readonly misfits: readonly string[];
}

/** Guests whose move is drawn but not certain, by id. */
export type Waits = ReadonlyMap<string, BedWaiting>;
