import { Alert, type AlertProps } from '@mantine/core';
import { foreignLanguage } from '@/api/problem-words';
import { useScrollIntoView } from './use-scroll-into-view';

/** Why something failed, in the language that it is in; scrolls into view by itself. Nothing without a reason. */
export function Refusal({ children, ...props }: AlertProps) {
  const box = useScrollIntoView<HTMLDivElement>(children);
  if (!children) return null;
  return (
    <Alert color="red" role="alert" ref={box} lang={foreignLanguage(children)} {...props}>
      {children}
    </Alert>
  );
}
