import widths from './breakpoints.json';

/**
 * Returns the media query for windows smaller than a named width. Style sheets say the same by the kit's mixins:
 * `@mixin smaller-than wide` and `@mixin larger-than wide` (postcss.config.mjs).
 */
export function smallerThan(name: keyof typeof widths): string {
  // In em, so that larger letters need a wider window.
  return `(max-width: ${(widths[name] - 0.1) / 16}em)`;
}
