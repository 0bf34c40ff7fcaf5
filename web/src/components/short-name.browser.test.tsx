import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderView } from '@/testing/render';
import { LinkCard } from './link-card';
import { ShortName } from './short-name';

const NAME = 'Harbor Light Recovery of Orange County';

/** Whether the whole name can be seen: what is clipped away is not under any point. */
function isShownWhole(): boolean {
  const whole = [...document.querySelectorAll('span')].find(({ textContent }) => textContent === NAME);
  return whole !== undefined && getComputedStyle(whole).clipPath === 'none';
}

it('a name that is cut shows whole under the pointer and with the focus, and moves nothing', async () => {
  const screen = await renderView(
    <>
      <LinkCard link={{ to: '/sites' }} name={<ShortName name={NAME} />} />
      <p>Below</p>
    </>,
  );
  const link = screen.getByRole('link', { name: NAME });
  await expect.element(screen.getByText('Harbor Light Recove…')).toBeVisible();
  const below = () => screen.getByText('Below').element().getBoundingClientRect().top;
  const before = below();
  await userEvent.hover(screen.getByText('Below'));
  expect(isShownWhole()).toBe(false);
  await userEvent.hover(link);
  await expect.poll(isShownWhole).toBe(true);
  expect(below()).toBe(before);
  await userEvent.hover(screen.getByText('Below'));
  await expect.poll(isShownWhole).toBe(false);
  await userEvent.tab();
  await expect.element(link).toHaveFocus();
  expect(isShownWhole()).toBe(true);
});

it('a long name is whole on a phone, where nothing points', async () => {
  await page.viewport(390, 844);
  const screen = await renderView(<LinkCard link={{ to: '/sites' }} name={<ShortName name={NAME} />} />);
  await expect.element(screen.getByRole('link', { name: NAME })).toBeVisible();
  await expect.element(screen.getByText('Harbor Light Recove…')).not.toBeVisible();
  expect(isShownWhole()).toBe(true);
  const { height } = screen.getByText(NAME, { exact: true }).element().getBoundingClientRect();
  expect(height, 'at most two lines').toBeLessThanOrEqual(48);
  await page.viewport(1360, 900);
});

it('a short name is a name', async () => {
  await page.viewport(390, 844);
  const screen = await renderView(<ShortName name="Open Hands" />);
  await expect.element(screen.getByText('Open Hands')).toBeVisible();
  await page.viewport(1360, 900);
});
