/** How many sites were taken off the screen so far: deleted, or no longer open to the user. */
export const lostSites = { count: 0 };
