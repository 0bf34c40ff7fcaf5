/** The sides of an insurance card, as the server names them. */
export const CARD_SIDES = ['front', 'back'] as const;

/** One side of an insurance card. */
export type CardSide = (typeof CARD_SIDES)[number];

/** Where pictures of the insurance card of a new reservation go. */
export interface CardUpload {
  /** Id of the request that became the reservation. */
  id: string;
  /** When the server stops taking pictures, in epoch milliseconds. */
  until: number;
  /** The sides that the server has. */
  sent: readonly CardSide[];
}
