import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderView } from '@/testing/render';
import { PhoneInput } from './phone-input';

let kept = '';

function Field({ initial }: { initial: string }) {
  const [value, setValue] = useState(initial);
  return (
    <PhoneInput
      value={value}
      onChange={(next) => {
        kept = next;
        setValue(next);
      }}
    />
  );
}

const input = () => page.getByRole('textbox', { name: 'Phone' });
const caret = () => {
  const { selectionStart, selectionEnd } = input().element() as HTMLInputElement;
  return selectionStart === selectionEnd ? selectionStart : [selectionStart, selectionEnd];
};

async function show(initial = '') {
  kept = initial;
  await renderView(<Field initial={initial} />);
  await input().click();
}

/** Puts the caret behind so many characters, as a click does. */
function placeCaret(place: number) {
  (input().element() as HTMLInputElement).setSelectionRange(place, place);
}

/** Pastes from the clipboard, over all that is there. */
async function paste(text: string) {
  await userEvent.keyboard('{Control>}a{/Control}');
  const data = new DataTransfer();
  data.setData('text/plain', text);
  const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
  if (input().element().dispatchEvent(event)) document.execCommand('insertText', false, text);
}

describe('a phone number', () => {
  it('takes its shape while it is typed, key by key', async () => {
    await show();
    const shown: string[] = [];
    for (const key of '7145550123') {
      await userEvent.keyboard(key);
      shown.push((input().element() as HTMLInputElement).value);
    }
    expect(shown).toEqual([
      '+1 (7',
      '+1 (71',
      '+1 (714',
      '+1 (714) 5',
      '+1 (714) 55',
      '+1 (714) 555',
      '+1 (714) 555-0',
      '+1 (714) 555-01',
      '+1 (714) 555-012',
      '+1 (714) 555-0123',
    ]);
    expect(kept).toBe('+17145550123');
  });

  it.each(['1 714 555 0123', '+17145550123', '(714) 555-0123'])('may be typed as %s', async (typed) => {
    await show();
    await userEvent.keyboard(typed);
    await expect.element(input()).toHaveValue('+1 (714) 555-0123');
    expect(kept).toBe('+17145550123');
  });

  it.each(['(714) 555-0123', '1 714 555 0123', '+17145550123', ' 714.555.0123 '])(
    'may be pasted as %s',
    async (text) => {
      await show('+15550000000');
      await paste(text);
      await expect.element(input()).toHaveValue('+1 (714) 555-0123');
      expect(kept).toBe('+17145550123');
    },
  );

  it.each(['+44 20 1234', '714 555 0123 45'])('of another country or length stays what it is: %s', async (text) => {
    await show();
    await paste(text);
    expect(kept.replace(/\D/g, '')).toBe(text.replace(/\D/g, ''));
    await expect.element(input()).toHaveValue(kept);
    expect(kept).not.toMatch(/^\+1\d{10}$/);
  });

  it('keeps the caret where a digit is put in or taken out in the middle', async () => {
    await show('+1714555012');
    placeCaret('+1 (714) 5'.length);
    await userEvent.keyboard('9');
    await expect.element(input()).toHaveValue('+1 (714) 595-5012');
    expect(caret()).toBe('+1 (714) 59'.length);
    await userEvent.keyboard('{Backspace}8');
    await expect.element(input()).toHaveValue('+1 (714) 585-5012');
    expect(caret()).toBe('+1 (714) 58'.length);
    await userEvent.keyboard('{Backspace}{Backspace}{Backspace}6');
    await expect.element(input()).toHaveValue('+1 (716) 550-12');
    expect(caret()).toBe('+1 (716'.length);
  });

  it('takes no digit more than it has, and loses none for it', async () => {
    await show('+17145550123');
    placeCaret('+1 (714) 5'.length);
    await userEvent.keyboard('9');
    await expect.element(input()).toHaveValue('+1 (714) 555-0123');
    expect(kept).toBe('+17145550123');
  });

  it('is erased to nothing', async () => {
    await show('+171');
    await userEvent.keyboard('{End}{Backspace}{Backspace}{Backspace}');
    await expect.element(input()).toHaveValue('');
    expect(kept).toBe('');
  });
});
