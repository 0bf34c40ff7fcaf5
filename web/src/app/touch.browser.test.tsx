import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderView } from '@/testing/render';
import { touch } from '@/testing/touch';

afterEach(() => touch(false));

const sizes = () =>
  [...document.querySelectorAll('input, select, textarea')].map((field) =>
    parseFloat(getComputedStyle(field).fontSize),
  );

it('a finger gets letters of 16 px in every field, so that iOS does not zoom; larger ones stay, and so does a mouse', async () => {
  await renderView(
    <>
      <TextInput label="Name" />
      <NativeSelect label="Kind" data={['House']} />
      <Textarea label="Feedback" />
      <TextInput label="Code" size="xl" />
      <select aria-label="Sort by" style={{ fontSize: 14 }} />
    </>,
  );
  await expect.element(page.getByRole('combobox', { name: 'Sort by' })).toBeInTheDocument();
  expect(sizes()).toEqual([15, 15, 15, 20, 14]);
  await touch(true);
  await expect.poll(sizes).toEqual([16, 16, 16, 20, 16]);
});

it('a box that is ticked by a finger stands beside its label, not beside the hint below it', async () => {
  const hint = 'Get a text message and an email when a reservation arrives or is about to expire.';
  await renderView(
    <div style={{ width: 300 }}>
      <Checkbox label="Receive reservation texts" description={hint} />
    </div>,
  );
  await touch(true);
  const middleOf = (rect: DOMRect) => rect.top + rect.height / 2;
  const distance = () => {
    const words = document.createRange();
    words.selectNodeContents(page.getByText('Receive reservation texts').element());
    const box = page.getByRole('checkbox').element().getBoundingClientRect();
    return Math.abs(middleOf(words.getBoundingClientRect()) - middleOf(box));
  };
  await expect.element(page.getByText(hint)).toBeVisible();
  await expect.poll(distance).toBeLessThan(3);
});
