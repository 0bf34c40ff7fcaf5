import { NativeSelect, Textarea, TextInput } from '@mantine/core';
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
