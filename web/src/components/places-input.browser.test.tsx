import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { expectNoViolations } from '@/testing/axe';
import { renderView } from '@/testing/render';
import { problem, serve } from '@/testing/server';
import { PlacesInput, type PlaceValue } from './places-input';

const place = (id: string, city: string): Schemas['Place'] => ({
  id,
  label: `${city}, CA`,
  city,
  state: 'CA',
  postalCode: null,
  street: null,
  latitude: 33.8,
  longitude: -117.9,
  timeZone: 'America/Los_Angeles',
  precision: 'city',
});

function City() {
  const [value, setValue] = useState<PlaceValue>({ label: '', placeId: null });
  return (
    <>
      <PlacesInput label="City" kind="city" value={value} onChange={setValue} />
      <output>{value.placeId ?? 'not chosen'}</output>
    </>
  );
}

/** The field, and what the server was asked. */
async function open(
  answer: () => Response = () => HttpResponse.json({ items: [place('p1', 'Anaheim'), place('p2', 'Anderson')] }),
) {
  const asked: string[] = [];
  serve(
    http.get('/api/places', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('query') ?? '');
      return answer();
    }),
  );
  const screen = await renderView(<City />);
  return { screen, asked, field: screen.getByRole('combobox', { name: 'City' }) };
}

describe('a place', () => {
  it('is chosen by keyboard, and given back by typing on', async () => {
    const { screen, asked, field } = await open();
    await field.click();
    await userEvent.keyboard('an');
    await expect.element(screen.getByRole('option', { name: 'Anaheim, CA' })).toBeVisible();
    await expectNoViolations(screen.container);
    await userEvent.keyboard('{ArrowDown}{Enter}');
    await expect.element(field).toHaveValue('Anderson, CA');
    await expect.element(screen.getByText('p2')).toBeVisible();
    expect(screen.getByRole('option').elements()).toHaveLength(0);
    await userEvent.keyboard('{Backspace}');
    await expect.element(screen.getByText('not chosen')).toBeVisible();
    expect(asked[0]).toBe('an');
  });

  it('is asked for from two characters on, once for a word typed in a go', async () => {
    const { screen, asked, field } = await open();
    await field.click();
    await userEvent.keyboard('a');
    await userEvent.keyboard('na');
    await expect.element(screen.getByText(/2 places found\. First: Anaheim, CA/)).toBeInTheDocument();
    expect(asked).toEqual(['ana']);
  });

  it('that nobody knows, or that cannot be looked up, is told', async () => {
    const none = await open(() => HttpResponse.json({ items: [] }));
    await none.field.fill('zzz');
    await expect.element(none.screen.getByText('No matching city.').first()).toBeInTheDocument();
    await none.screen.unmount();
    const failed = await open(() => problem(503, 'busy'));
    await failed.field.fill('ana');
    await expect.element(failed.screen.getByText(/can't be searched right now/).first()).toBeInTheDocument();
  });
});
