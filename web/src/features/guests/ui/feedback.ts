/** The longest feedback the server takes, in characters. */
export const MAX_FEEDBACK = 2000;
