import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

interface StepHeadingProps {
  /** The user came here from the other step: what was focused there is gone. */
  takesFocus: boolean;
  children: ReactNode;
}

/** The heading of a step in a dialog. */
export function StepHeading({ takesFocus, children }: StepHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <Title ref={heading} order={3} size="h5" tabIndex={-1}>
      {children}
    </Title>
  );
}
