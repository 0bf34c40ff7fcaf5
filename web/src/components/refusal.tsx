import { Alert, type AlertProps } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { foreignLanguage } from '@/api/problem-words';

/** Why something failed, in the language that it is in; scrolls into view by itself. Nothing without a reason. */
export function Refusal({ children, ...props }: AlertProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (children) box.current?.scrollIntoView({ block: 'nearest' });
  }, [children]);
  if (!children) return null;
  return (
    <Alert color="red" role="alert" ref={box} lang={foreignLanguage(children)} {...props}>
      {children}
    </Alert>
  );
}
