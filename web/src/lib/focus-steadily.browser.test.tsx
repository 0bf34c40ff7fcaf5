import { expect, it, onTestFinished, vi } from 'vitest';
import { focusSteadily } from './focus-steadily';

function rowWithButton() {
  const row = document.createElement('li');
  row.tabIndex = -1;
  const button = document.createElement('button');
  const press = vi.fn<() => void>();
  button.addEventListener('click', press);
  row.append(button);
  document.body.append(row);
  onTestFinished(() => row.remove());
  return { row, button, press };
}

// `click()` is what a key does to a button, without the time that a real key takes.

it('keeps a key that follows at once from the control that has just got the focus', () => {
  const { button, press } = rowWithButton();
  focusSteadily(button);
  expect(button).toBe(document.activeElement);
  button.click();
  expect(press).not.toHaveBeenCalled();
});

it('lets a key through to a button in the row that has just got the focus', () => {
  const { row, button, press } = rowWithButton();
  focusSteadily(row);
  expect(row).toBe(document.activeElement);
  button.click();
  expect(press).toHaveBeenCalledOnce();
});
