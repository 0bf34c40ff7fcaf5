import { type ComponentProps, type RefObject, useRef } from 'react';
import { useHeldFields } from './use-held-fields';

interface HeldFormProps extends Omit<ComponentProps<'form'>, 'ref'> {
  isSending: boolean;
  ref?: RefObject<HTMLFormElement | null>;
}

/** A form that keeps what was sent until the answer is there. Its row of buttons needs `WORKS_WHILE_SENT`. */
export function HeldForm({ isSending, ref, ...props }: HeldFormProps) {
  const own = useRef<HTMLFormElement>(null);
  const box = ref ?? own;
  useHeldFields(box, isSending);
  return <form ref={box} noValidate {...props} />;
}
