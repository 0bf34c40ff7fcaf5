import * as z from 'zod/mini';
import { describe, expect, it } from 'vitest';
import { idSearchField, searchField } from './search-field';

describe('a field of an address', () => {
  it('is dropped if it is not allowed, and may be missing', () => {
    const search = z.object({ list: searchField(z.enum(['table'])) });
    expect(search.parse({ list: 'table' })).toEqual({ list: 'table' });
    expect(search.parse({ list: 'cards' }).list).toBeUndefined();
    expect(search.parse({}).list).toBeUndefined();
  });

  it('that is an id is spelled as the server does', () => {
    expect(idSearchField.parse('01A22514-8747-7000-B341-E369007C1E39')).toBe('01a22514-8747-7000-b341-e369007c1e39');
    expect(idSearchField.parse('123')).toBeUndefined();
  });
});
