import { useRef, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { renderView } from '@/testing/render';
import { WORKS_WHILE_SENT, useHeldFields } from './use-held-fields';

const cancel = vi.fn<() => void>();

/** Fields as React controls them, and buttons that change the form. */
function Sample({ isHeld }: { isHeld: boolean }) {
  const box = useRef<HTMLFormElement>(null);
  useHeldFields(box, isHeld);
  const [kind, setKind] = useState('broken');
  const [photos, setPhotos] = useState(3);
  const [role, setRole] = useState('Admin');
  const [date, setDate] = useState('2026-12-05');
  return (
    <form ref={box} aria-label="Bed">
      {['broken', 'cleaning'].map((value) => (
        <label key={value}>
          <input type="radio" name="kind" checked={kind === value} onChange={() => setKind(value)} />
          {value}
        </label>
      ))}
      <output>{`${kind}, ${photos} photos`}</output>
      <input type="date" aria-label="Until" value={date} onChange={(event) => setDate(event.target.value)} />
      <select aria-label="Role" value={role} onChange={(event) => setRole(event.target.value)}>
        <option>Admin</option>
        <option>Intake</option>
      </select>
      <button type="button" onClick={() => setPhotos(photos - 1)}>
        Delete photo
      </button>
      <div {...WORKS_WHILE_SENT}>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

async function change(screen: Awaited<ReturnType<typeof renderView>>) {
  await screen.getByText('cleaning', { exact: true }).click();
  screen.getByLabelText('Until').element().focus();
  await userEvent.keyboard('11{ArrowUp}');
  screen.getByLabelText('Role').element().focus();
  await userEvent.keyboard('{End}');
  await screen.getByRole('button', { name: 'Delete photo' }).click();
}

it('a form that is held takes no choice, date or press, by mouse or key; Cancel and Tab work', async () => {
  const screen = await renderView(<Sample isHeld />);
  await change(screen);
  await expect.element(screen.getByText('broken, 3 photos')).toBeVisible();
  await expect.element(screen.getByLabelText('Until')).toHaveValue('2026-12-05');
  await expect.element(screen.getByLabelText('Role')).toHaveValue('Admin');
  await expect.element(screen.getByRole('radio', { name: 'broken' })).toBeChecked();
  screen.getByLabelText('Until').element().focus();
  await userEvent.keyboard('{Tab}{Tab}{Tab}{Tab}{Tab}');
  await expect.element(screen.getByLabelText('Until')).not.toHaveFocus();
  await screen.getByRole('button', { name: 'Cancel' }).click();
  expect(cancel).toHaveBeenCalledOnce();
});

it('a form that is held no more takes them all', async () => {
  const screen = await renderView(<Sample isHeld />);
  await screen.rerender(<Sample isHeld={false} />);
  await change(screen);
  await expect.element(screen.getByText('cleaning, 2 photos')).toBeVisible();
  await expect.element(screen.getByLabelText('Role')).toHaveValue('Intake');
  await expect.element(screen.getByLabelText('Until')).not.toHaveValue('2026-12-05');
});
