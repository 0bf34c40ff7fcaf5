import { assumeServerLead, serverLead, serverNow } from '@/lib/clock';

/**
 * Keeps a request that waits for its code over a reload: a phone may discard the tab while the message is read. In
 * sessionStorage, which ends with the tab, and nothing about the guest but the last two digits of the phone
 * (docs/decisions/0049). In a frame of another site storage may be refused; then a reload forgets the request.
 */
export interface KeptRequest {
  siteId: string;
  id: string;
  codeExpiresAt: string;
  /** The last two digits of the phone. */
  phoneEnding: string;
  /** The idempotency key of the confirmation: an answer that the reload lost is asked for again. */
  confirmKey: string;
  /** Wrong codes so far. */
  refusals: number;
}

const NAME = 'berth.find.request';

/** The request to go on with; undefined if there is none or its code is over. */
export function readKeptRequest(): KeptRequest | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(NAME) ?? 'null');
    if (isKept(kept)) {
      assumeServerLead(kept.lead);
      if (Date.parse(kept.codeExpiresAt) > serverNow()) return kept;
    }
  } catch {
    // Storage is refused, or holds no JSON.
  }
  forgetRequest();
  return undefined;
}

export function keepRequest({ siteId, id, codeExpiresAt, phoneEnding, confirmKey, refusals }: KeptRequest): void {
  const kept = { siteId, id, codeExpiresAt, phoneEnding, confirmKey, refusals, lead: serverLead() };
  try {
    sessionStorage.setItem(NAME, JSON.stringify(kept));
  } catch {
    // The request then lasts as long as the page.
  }
}

export function forgetRequest(): void {
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // No storage, nothing kept.
  }
}

function isKept(value: unknown): value is KeptRequest & { lead: number } {
  if (typeof value !== 'object' || value === null) return false;
  const kept = value as Record<string, unknown>;
  return (
    ['siteId', 'id', 'codeExpiresAt', 'phoneEnding', 'confirmKey'].every((name) => typeof kept[name] === 'string') &&
    ['refusals', 'lead'].every((name) => Number.isFinite(kept[name]))
  );
}
