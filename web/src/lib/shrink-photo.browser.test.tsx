import { expect, it } from 'vitest';
import { shrinkPhoto } from './shrink-photo';

/** A picture that compresses badly. */
async function noise(width: number, height: number): Promise<File> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  const image = new ImageData(width, height);
  for (let index = 0; index < image.data.length; index += 65_536) {
    crypto.getRandomValues(image.data.subarray(index, index + 65_536));
  }
  context?.putImageData(image, 0, 0);
  return new File([await canvas.convertToBlob({ type: 'image/png' })], 'card.png', { type: 'image/png' });
}

it('a large photo is made 2048 pixels long at most and keeps its shape', async () => {
  const small = await shrinkPhoto(await noise(4096, 1024));
  const bitmap = await createImageBitmap(small);
  expect([bitmap.width, bitmap.height, small.type, small.name]).toEqual([2048, 512, 'image/jpeg', 'card.png']);
});

it('a small photo, and what is no photo, stay as they are', async () => {
  const small = await noise(20, 20);
  expect(await shrinkPhoto(small)).toBe(small);
  const broken = new File([new Uint8Array(2_000_000)], 'card.jpg', { type: 'image/jpeg' });
  expect(await shrinkPhoto(broken)).toBe(broken);
});
