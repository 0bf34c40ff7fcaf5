import { type RefObject, useEffect, useRef } from 'react';

/** Scrolls the element with the returned ref into view when `shown` comes or changes; above the badge about the connection. */
export function useScrollIntoView<Shown extends HTMLElement>(shown: unknown): RefObject<Shown | null> {
  const ref = useRef<Shown>(null);
  useEffect(() => {
    if (shown) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  return ref;
}
