import { Tabs } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';

interface SiteTabsListProps {
  /** The chosen tab. */
  value: string;
  label: string;
  children: ReactNode;
}

/** The tabs of a site in one line. Where the line is wider than a phone, the chosen tab is always within sight. */
export function SiteTabsList({ value, label, children }: SiteTabsListProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // By its name, as Mantine writes it: the list may be asked before the choice has arrived in it.
    const chosen = list.current?.querySelector(`[role="tab"][id$="-tab-${value}"]`);
    if (!list.current || !chosen) return;
    // The line alone is moved: `scrollIntoView` would move the page too.
    const [box, tab] = [list.current.getBoundingClientRect(), chosen.getBoundingClientRect()];
    if (tab.left < box.left) list.current.scrollLeft -= box.left - tab.left;
    if (tab.right > box.right) list.current.scrollLeft += tab.right - box.right;
  }, [value]);
  return (
    <Tabs.List ref={list} aria-label={label} mb="lg">
      {children}
    </Tabs.List>
  );
}
