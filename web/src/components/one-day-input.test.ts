import { expect, it } from 'vitest';

const sources = import.meta.glob<string>(['../**/*.tsx', '!../**/*.test.tsx', '!./day-input.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

it('every date is typed into a DayInput: a bare date input says that a day of which only a part is typed is none', () => {
  expect(Object.keys(sources).length).toBeGreaterThan(300);
  const others = Object.entries(sources).filter(([, text]) => /\btype="date"/.test(text));
  expect(others.map(([file]) => file)).toEqual([]);
});
