import type { ImagePrefix } from '@/api/upload-image';
import type { PictureFit } from './picture';

const FIT: Partial<Record<ImagePrefix, PictureFit>> = { org_: 'contain', ins_: 'contain', card_: 'whole' };

/** Returns how an input shows its picture, from the moment in which it is chosen. */
export function fitOf(prefix: ImagePrefix): PictureFit {
  return FIT[prefix] ?? 'cover';
}

/**
 * Addresses of the pictures that were chosen in an input on the screen, by their path. The server shows an insurance card only
 * once a guest or a person who waits has it: until then, only this browser can.
 */
const addresses = new Map<string, string>();

/** Keeps the file of an uploaded picture to be shown, and returns its address. */
export function keepChosen(path: string, file: File): string {
  const address = URL.createObjectURL(file);
  addresses.set(path, address);
  return address;
}

export function dropChosen(path: string, address: string): void {
  if (addresses.get(path) === address) addresses.delete(path);
  URL.revokeObjectURL(address);
}

/** Returns the address of a picture that was chosen here; undefined for any other. */
export function chosenAddress(path: string): string | undefined {
  return addresses.get(path);
}
