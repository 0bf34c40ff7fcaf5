/** Files that may be chosen at once (spec A section 9). */
export const MOST_AT_ONCE = 5;
/** Bytes of one file (spec A section 9). */
export const MOST_BYTES = 5_242_880;

/** What the file chooser offers; never svg. */
export const ACCEPTED = 'image/jpeg,image/png,image/gif,.jpg,.jpeg,.png,.gif';
/** The same for logos of insurers. */
export const ACCEPTED_JPEG = 'image/jpeg,.jpg,.jpeg';

/** Why a file is not sent; the key of its text. */
export type ImageProblem = 'type' | 'jpeg' | 'size';

/** What speaks against a file before it is sent; the server looks at the bytes themselves. */
export function problemOf(file: Pick<File, 'name' | 'type' | 'size'>, isJpegOnly = false): ImageProblem | undefined {
  // Without a type the name must do.
  const kind = (file.type || (file.name.split('.').pop() ?? '')).toLowerCase().replace('image/', '');
  if (isJpegOnly && kind !== 'jpeg' && kind !== 'jpg') return 'jpeg';
  if (!['jpeg', 'jpg', 'png', 'gif'].includes(kind)) return 'type';
  return file.size > MOST_BYTES ? 'size' : undefined;
}

/** The list with the entry at `from` moved to `to`. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const next = [...items];
  const [item] = next.splice(from, 1);
  if (item !== undefined) next.splice(Math.max(0, Math.min(to, next.length)), 0, item);
  return next;
}
