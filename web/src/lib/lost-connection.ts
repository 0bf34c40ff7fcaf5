/**
 * What is known about the way to the server beside `navigator.onLine`. `isLost`: nothing came for so long that everything
 * that was being loaded has been given up (`live/drop-dead-connections`).
 */
export const connection = { isLost: false };
