/**
 * The only module of the signed-in app that touches sessionStorage. It keeps what was typed into a long form over a reload of the tab
 * (docs/decisions, "A long form survives a reload"): for the user who typed it, in this tab, until it is sent, thrown away or the user signs out.
 * Never anything about guests.
 */
interface DraftKey {
  /** Who typed it. */
  userId: string;
  /** Which form. */
  form: 'new-site';
  /** What the form is about, e.g. the organization. */
  subjectId: string;
}

const PREFIX = 'berth.draft.';

/** What was kept, of any shape: the caller checks it. Drafts of other users are thrown away. */
export function readDraft(key: DraftKey): unknown {
  try {
    clear((name) => !name.startsWith(`${PREFIX}${key.userId}.`));
    const text = sessionStorage.getItem(nameOf(key));
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** Keeps a draft; where storage is forbidden or full the form goes on without. */
export function writeDraft(key: DraftKey, draft: object): void {
  try {
    sessionStorage.setItem(nameOf(key), JSON.stringify(draft));
  } catch {
    // Private windows may refuse storage; the form then lasts as long as the page.
  }
}

/** Throws a draft away. */
export function removeDraft(key: DraftKey): void {
  const name = nameOf(key);
  clear((other) => other === name);
}

/** Throws all drafts away: the user signs out. */
export function clearDrafts(): void {
  clear(() => true);
}

function nameOf({ userId, form, subjectId }: DraftKey): string {
  return `${PREFIX}${userId}.${form}.${subjectId}`;
}

function clear(isDue: (name: string) => boolean): void {
  try {
    for (const name of Object.keys(sessionStorage)) {
      if (name.startsWith(PREFIX) && isDue(name)) sessionStorage.removeItem(name);
    }
  } catch {
    // No storage, no drafts.
  }
}
