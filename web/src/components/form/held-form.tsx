import { type ComponentProps, type RefObject, useEffect, useRef } from 'react';
import { focusFirstInvalid } from './focus-first-invalid';
import { useHeldFields } from './use-held-fields';

interface HeldFormProps extends Omit<ComponentProps<'form'>, 'ref'> {
  isSending: boolean;
  /** What is wrong with a field, which gets the focus then. */
  error?: string | undefined;
  ref?: RefObject<HTMLFormElement | null>;
}

/** A form that keeps what was sent until the answer is there. Its row of buttons needs `WORKS_WHILE_SENT`. */
export function HeldForm({ isSending, error, ref, ...props }: HeldFormProps) {
  const own = useRef<HTMLFormElement>(null);
  const box = ref ?? own;
  useHeldFields(box, isSending);
  useEffect(() => {
    if (error && box.current) focusFirstInvalid(box.current);
  }, [error, box]);
  return <form ref={box} noValidate {...props} />;
}
