/**
 * Paths that browser or router read as another site's, as relative, or as those of signing in and out and of mails, in any case of letters.
 * The router decodes what is written with a percent sign; no path of ours needs one.
 */
const UNSAFE_PATH =
  /^(?!\/)|^[^?#]*([\\\s%]|\/[/.])|^\/(log(in|out)|(create|restore|reset)-password|(confirm|undo)-email|signup|two-factor-|error)/i;

/** A path inside this site that is safe to go back to; anything else (other hosts, sign-in pages) is undefined. */
export function safeReturnPath(path = ''): string | undefined {
  return UNSAFE_PATH.test(path) ? undefined : path;
}
