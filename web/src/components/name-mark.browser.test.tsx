import { expect, it } from 'vitest';
import { renderView } from '@/testing/render';
import { NameMark } from './name-mark';

it('the initials stand in the place of a picture that cannot be had', async () => {
  const screen = await renderView(<NameMark name="Harbor House" imagePath="uploads/gone.png" />);
  screen.container.querySelector('img')?.dispatchEvent(new Event('error'));
  await expect.element(screen.getByText('HH')).toBeInTheDocument();
  expect(screen.container.querySelector('img')).toBeNull();
});
