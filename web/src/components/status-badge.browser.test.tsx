import { expect, it } from 'vitest';
import { renderView } from '@/testing/render';
import { StatusBadge } from './status-badge';

it('shows its words whole in a table that is as wide as the screen', async () => {
  const screen = await renderView(
    <table style={{ width: '100%' }}>
      <tbody>
        <tr>
          <td style={{ width: '70%' }}>lena.ortiz@harborlight.example</td>
          <td style={{ width: '10%' }}>
            <StatusBadge tone="yellow">Con invitación pendiente</StatusBadge>
          </td>
          <td>Personal</td>
        </tr>
      </tbody>
    </table>,
  );
  const words = screen.getByText('Con invitación pendiente');
  await expect.element(words).toBeVisible();
  const { scrollWidth, clientWidth } = words.element();
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
});
