import { http, HttpResponse } from 'msw';
import type { Schemas } from '@/api/client';
import { bed, guest, guestShort, room, siteDetails } from './bed-builders';
import { onePage, problem, serve } from './server';

type Answer = (update: Schemas['GuestUpdate'], guestId: string) => Response | undefined;

/**
 * A site that answers like the server: House 1 has Ana in Bed a, Bed b vacant, Bed c disabled; House 2 has Ben in Bed d,
 * Bed e vacant; Wes waits. `refuse` may answer a move in another way; `moves` are the updates that were received.
 */
export function serveBoard(refuse: Answer = () => undefined) {
  const holders: Record<string, string | null> = { a: 'ana', b: null, d: 'ben', e: null };
  const versions: Record<string, number> = { ana: 1, ben: 1, wes: 1 };
  const names: Record<string, string> = { ana: 'Ana A1', ben: 'Ben B2', wes: 'Wes W3' };
  const disabled = new Set(['c']);
  const moves: (Schemas['GuestUpdate'] & { guestId: string })[] = [];
  /** The idempotency key of each request, also of those that were a repetition. */
  const keys: (string | null)[] = [];
  const answered = new Set<string | null>();
  let lostAnswers = 0;

  const short = (id: string) =>
    guestShort(id, {
      displayName: names[id] ?? id,
      version: versions[id] ?? 1,
      acceptedAt: Object.values(holders).includes(id) ? '2026-11-01T10:00:00.000Z' : null,
    });
  const one = (id: string) => {
    const holder = holders[id];
    return bed(id, { disabled: disabled.has(id), guest: holder ? short(holder) : null });
  };
  const site = () => siteDetails([room('1', [one('a'), one('b'), one('c')]), room('2', [one('d'), one('e')])]);
  const bedOf = (guestId: string) => Object.keys(holders).find((bedId) => holders[bedId] === guestId);
  const whole = (id: string): Schemas['Guest'] => {
    const bedId = bedOf(id) ?? null;
    return guest(id, {
      ...short(id),
      status: bedId ? 'accepted' : 'pending',
      assignedBedId: bedId,
      bed: bedId ? { id: bedId, name: `Bed ${bedId}`, type: 'Detox', index: 0, imagePath: null } : null,
      room: bedId ? { id: '1', name: bedId < 'd' ? 'House 1' : 'House 2', imagePath: null } : null,
    });
  };

  /** Moves a guest as another user would; the board hears of it by `invalidateQueries`. */
  const move = (guestId: string, bedId: string) => {
    const from = bedOf(guestId);
    const other = holders[bedId] ?? null;
    if (from) holders[from] = other;
    holders[bedId] = guestId;
    versions[guestId] = (versions[guestId] ?? 0) + 1;
    if (other) versions[other] = (versions[other] ?? 0) + 1;
  };

  /** Undoes an accept: the guest waits again. */
  const leave = (guestId: string) => {
    const from = bedOf(guestId);
    if (from) holders[from] = null;
    versions[guestId] = (versions[guestId] ?? 0) + 1;
  };

  serve(
    http.get('/api/Sites/:id', () => HttpResponse.json(site())),
    http.get('/api/Guests', () =>
      HttpResponse.json(onePage(Object.keys(names).map(whole)) satisfies Schemas['Paged_Guest']),
    ),
    http.patch<{ id: string }, Schemas['GuestUpdate']>('/api/Guests/:id', async ({ request, params }) => {
      const update = await request.json();
      const key = request.headers.get('Idempotency-Key');
      keys.push(key);
      if (answered.has(key)) return HttpResponse.json(whole(params.id));
      moves.push({ ...update, guestId: params.id });
      const refused = refuse(update, params.id);
      if (refused) return refused;
      if (update.status === 'UNDO') leave(params.id);
      else if (!update.bedId) return problem(422, 'A bed is needed.');
      else move(params.id, update.bedId);
      answered.add(key);
      if (lostAnswers > 0) {
        lostAnswers -= 1;
        return HttpResponse.error();
      }
      return HttpResponse.json(whole(params.id));
    }),
  );
  /** The next answers to moves get lost on their way, though the moves are carried out. */
  const loseAnswers = (count: number) => {
    lostAnswers = count;
  };
  return { moves, keys, move, whole, loseAnswers, disable: (bedId: string) => disabled.add(bedId) };
}
