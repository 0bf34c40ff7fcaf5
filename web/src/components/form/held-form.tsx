import { type ComponentProps, useRef } from 'react';
import { useHeldFields } from './use-held-fields';

interface HeldFormProps extends ComponentProps<'form'> {
  isSending: boolean;
}

/** A short form that keeps what was sent until the answer is there. Its row of buttons needs `WORKS_WHILE_SENT`. */
export function HeldForm({ isSending, ...props }: HeldFormProps) {
  const box = useRef<HTMLFormElement>(null);
  useHeldFields(box, isSending);
  return <form ref={box} noValidate {...props} />;
}
