import { expect, it } from 'vitest';
import { matchOf, phoneMatchOf } from './match.utils';

function marked(label: string, typed: string, find = matchOf): string {
  const match = find(label, typed);
  return match ? `${label.slice(0, match.from)}[${label.slice(match.from, match.to)}]${label.slice(match.to)}` : label;
}

it('marks the words that the typed text begins, whatever the case and the accents', () => {
  expect(marked('Maria G. K7M2QX', 'MAR')).toBe('[Mar]ia G. K7M2QX');
  expect(marked('Maria G. K7M2QX', 'k7m')).toBe('Maria G. [K7M]2QX');
  expect(marked('Maria G. K7M2QX', 'maria g')).toBe('[Maria G]. K7M2QX');
  expect(marked('José Ñuñez', 'jose nu')).toBe('[José Ñu]ñez');
  expect(marked('Harbor House', 'house')).toBe('Harbor [House]');
  expect(marked('Straße', 'strass')).toBe('[Straß]e');
});

it('marks nothing inside a word and nothing for an empty text', () => {
  expect(matchOf('Harbor House', 'arbor')).toBeUndefined();
  expect(matchOf('Harbor House', '  ')).toBeUndefined();
});

it('marks digits of a phone number across its signs', () => {
  expect(marked('+1 (714) 555-0134', '5013', phoneMatchOf)).toBe('+1 (714) 55[5-013]4');
  expect(marked('+1 (555) 555-5550', '555', phoneMatchOf)).toBe('+1 (555) 555-[555]0');
  expect(marked('+1 (714) 555-0134', '(714) 555', phoneMatchOf)).toBe('+1 ([714) 555]-0134');
  expect(phoneMatchOf('+1 (714) 555-0134', '34')).toBeUndefined();
  expect(phoneMatchOf('+1 (714) 555-0134', 'K7130134')).toBeUndefined();
  expect(phoneMatchOf('+1 (714) 555-0134', '999')).toBeUndefined();
});
