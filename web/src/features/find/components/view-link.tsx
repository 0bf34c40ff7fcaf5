import { Anchor } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import type { Filters, View } from '../find-address';
import { go, hrefOf } from '../use-address';

interface ViewLinkProps {
  to: View;
  filters?: Filters;
  isCurrent?: boolean;
  /** Leaves no way back to the view before. */
  replace?: boolean;
  children: ReactNode;
}

/** A link to another view of the page; opened in a new tab it works, too. */
export function ViewLink({ to, filters, isCurrent, replace, children }: ViewLinkProps) {
  const handleClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to, { filters, replace });
  };
  return (
    <Anchor href={hrefOf(to, filters)} onClick={handleClick} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </Anchor>
  );
}
