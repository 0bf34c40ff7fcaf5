import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearDrafts, readDraft, removeDraft, writeDraft } from './drafts';

/** As much of sessionStorage as the module needs; node has none. */
class Storage {
  getItem = (name: string) => (Object.hasOwn(this, name) ? (this as unknown as Record<string, string>)[name] : null);
  setItem = (name: string, value: string) => Object.assign(this, { [name]: value });
  removeItem = (name: string) => Reflect.deleteProperty(this, name);
}

const key = { userId: 'u1', form: 'new-site', subjectId: 'o1' } as const;

beforeEach(() => vi.stubGlobal('sessionStorage', new Storage()));
afterEach(() => vi.unstubAllGlobals());

describe('a draft', () => {
  it('comes back for the same user, form and subject alone', () => {
    writeDraft(key, { name: 'Harbor' });
    expect(readDraft(key)).toEqual({ name: 'Harbor' });
    expect(readDraft({ ...key, subjectId: 'o2' })).toBeUndefined();
  });

  it('of another user is thrown away as soon as somebody reads', () => {
    writeDraft(key, { name: 'Harbor' });
    expect(readDraft({ ...key, userId: 'u2' })).toBeUndefined();
    expect(readDraft(key)).toBeUndefined();
  });

  it('is thrown away alone, or all at the sign-out; what others keep stays', () => {
    writeDraft(key, {});
    writeDraft({ ...key, subjectId: 'o2' }, {});
    sessionStorage.setItem('other', 'kept');
    removeDraft(key);
    expect(readDraft(key)).toBeUndefined();
    expect(readDraft({ ...key, subjectId: 'o2' })).toEqual({});
    clearDrafts();
    expect(readDraft({ ...key, subjectId: 'o2' })).toBeUndefined();
    expect(sessionStorage.getItem('other')).toBe('kept');
  });

  it('that cannot be read is none, and storage that refuses is no error', () => {
    sessionStorage.setItem('berth.draft.u1.new-site.o1', '{');
    expect(readDraft(key)).toBeUndefined();
    vi.stubGlobal('sessionStorage', undefined);
    expect(readDraft(key)).toBeUndefined();
    expect(() => writeDraft(key, {})).not.toThrow();
    expect(() => clearDrafts()).not.toThrow();
  });
});
