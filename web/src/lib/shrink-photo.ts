/** Photos up to this many bytes are sent as they are. */
const SMALL_BYTES = 1_048_576;
/** Longest side of a photo that was made smaller, in pixels; the server keeps no more. */
const LONGEST_SIDE = 2048;

/**
 * Makes a photo of a phone small enough to send over a slow connection. Returns the file itself if it is small already, if this
 * browser cannot read it, or if it would not get smaller.
 */
export async function shrinkPhoto(file: File): Promise<File> {
  if (file.size <= SMALL_BYTES) return file;
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
    const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
    return blob.size < file.size ? new File([blob], file.name, { type: 'image/jpeg' }) : file;
  } catch {
    return file;
  }
}
