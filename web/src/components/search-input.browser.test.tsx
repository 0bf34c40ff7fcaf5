import { useEffect, useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectNoViolations } from '@/testing/axe';
import { renderView } from '@/testing/render';
import { SearchInput } from './search-input';

/** An address that takes its time: `arrive` is when the router has committed what was searched for. */
class Address extends EventTarget {
  told: string[] = [];
  arrive(value: string): void {
    this.dispatchEvent(new CustomEvent('arrival', { detail: value }));
  }
}

let isSubmitted = false;

function Field({ address }: { address: Address }) {
  const [value, setValue] = useState('');
  useEffect(() => {
    const handleArrival = (event: Event) => setValue((event as CustomEvent<string>).detail);
    address.addEventListener('arrival', handleArrival);
    return () => address.removeEventListener('arrival', handleArrival);
  }, [address]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        isSubmitted = true;
      }}
    >
      <SearchInput label="Search houses" value={value} onChange={(text) => address.told.push(text)} />
    </form>
  );
}

const input = () => page.getByRole('textbox', { name: 'Search houses' });
const element = () => input().element() as HTMLInputElement;

afterEach(() => {
  vi.useRealTimers();
});

/** Shows the field with a clock that stands still: however slow the machine is, no key is a pause. */
async function show() {
  const address = new Address();
  isSubmitted = false;
  await renderView(<Field address={address} />);
  await input().click();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return address;
}

const pause = () => vi.advanceTimersByTime(250);

describe('a search', () => {
  it('tells what was typed after a pause, once', async () => {
    const address = await show();
    await userEvent.keyboard('anchor');
    expect(address.told).toEqual([]);
    pause();
    expect(address.told).toEqual(['anchor']);
    vi.useRealTimers();
    await expectNoViolations();
  });

  it('loses no key that is typed while the address still takes the keys before', async () => {
    const address = await show();
    await userEvent.keyboard('an');
    pause();
    expect(address.told).toEqual(['an']);
    await userEvent.keyboard('ch');
    address.arrive('an');
    await expect.element(input()).toHaveValue('anch');
    pause();
    expect(address.told).toEqual(['an', 'anch']);
    await userEvent.keyboard('or');
    address.arrive('anch');
    pause();
    expect(address.told).toEqual(['an', 'anch', 'anchor']);
    await expect.element(input()).toHaveValue('anchor');
  });

  it('keeps the caret where somebody types in the middle', async () => {
    const address = await show();
    await userEvent.keyboard('hrbor');
    pause();
    expect(address.told).toEqual(['hrbor']);
    address.arrive('hrbor');
    element().setSelectionRange(1, 1);
    await userEvent.keyboard('a');
    pause();
    expect(address.told).toEqual(['hrbor', 'harbor']);
    address.arrive('harbor');
    await userEvent.keyboard('xy');
    await expect.element(input()).toHaveValue('haxyrbor');
    expect(element().selectionStart).toBe(4);
  });

  it('follows an address that changes from elsewhere', async () => {
    const address = await show();
    await userEvent.keyboard('anchor');
    pause();
    expect(address.told).toEqual(['anchor']);
    address.arrive('anchor');
    await expect.element(input()).toHaveValue('anchor');
    address.arrive('beacon');
    await expect.element(input()).toHaveValue('beacon');
    address.arrive('');
    await expect.element(input()).toHaveValue('');
    expect(address.told).toEqual(['anchor']);
  });

  it('tells at once on Enter, which does not send the form around', async () => {
    const address = await show();
    await userEvent.keyboard('an{Enter}');
    expect(address.told).toEqual(['an']);
    expect(isSubmitted).toBe(false);
  });

  it('is cleared by its cross, and keeps the focus', async () => {
    const address = await show();
    await userEvent.keyboard('an{Enter}');
    address.arrive('an');
    await page.getByRole('button', { name: 'Clear the search' }).click();
    expect(address.told).toEqual(['an', '']);
    await expect.element(input()).toHaveValue('');
    await expect.element(input()).toHaveFocus();
  });
});
