import { expect, it } from 'vitest';

const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!./clock.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

it('no other module reads a clock: the one of the browser may be days off, and may jump', () => {
  expect(Object.keys(sources).length).toBeGreaterThan(300);
  const readers = Object.entries(sources).filter(([, text]) =>
    /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b/.test(text),
  );
  expect(readers.map(([file]) => file)).toEqual([]);
});
