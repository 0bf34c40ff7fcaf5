import { expect, it } from 'vitest';
import { Counts } from '@/components/counts';
import { expectNoViolations } from './axe';
import { renderView } from './render';

it('shows the counts of a site', async () => {
  const screen = await renderView(<Counts vacant={3} pending={2} occupied={7} />);
  await expect.element(screen.getByText('Vacant')).toBeVisible();
  await expectNoViolations();
});
