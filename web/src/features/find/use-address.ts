import { useSyncExternalStore } from 'react';
import { type Address, type Filters, readAddress, type View, writeAddress } from './find-address';

const listeners = new Set<() => void>();
let query = location.search;
let address = readAddress(query);
let hasMoved = false;

function follow(): void {
  if (location.search === query) return;
  query = location.search;
  address = readAddress(query);
  hasMoved = true;
  for (const listener of listeners) listener();
}

window.addEventListener('popstate', follow);

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What the address holds now. */
export function useAddress(): Address {
  return useSyncExternalStore(listen, () => address);
}

/** Returns true once the visitor has gone from one view to another: then the new heading takes the focus. */
export function hasNavigated(): boolean {
  return hasMoved;
}

/** The address of a view, keeping the search. */
export function hrefOf(view: View, filters: Filters = address.filters): string {
  return `${location.pathname}${writeAddress({ view, filters })}`;
}

/** Goes to a view. `replace` leaves no way back to the one before. */
export function go(view: View, options: { filters?: Filters; replace?: boolean } = {}): void {
  const href = hrefOf(view, options.filters);
  if (options.replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  follow();
  window.scrollTo(0, 0);
}
