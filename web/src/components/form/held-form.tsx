import { type ComponentProps, type RefObject, useEffect, useRef } from 'react';
import { focusFirstInvalid, ignoreSecondTap } from './focus-first-invalid';
import { useHeldFields } from './use-held-fields';

interface HeldFormProps extends Omit<ComponentProps<'form'>, 'ref'> {
  isSending: boolean;
  /** What is wrong with a field, which gets the focus then. */
  error?: string | undefined;
  /** How often fields were found invalid. The first of them gets the focus each time, and the form may scroll to it. */
  invalidCount?: number;
  ref?: RefObject<HTMLFormElement | null>;
}

/** A form that keeps what was sent until the answer is there. Its row of buttons needs `WORKS_WHILE_SENT`. */
export function HeldForm({ isSending, error, invalidCount = 0, ref, ...props }: HeldFormProps) {
  const own = useRef<HTMLFormElement>(null);
  const box = ref ?? own;
  useHeldFields(box, isSending);
  useEffect(() => {
    if (error && box.current) focusFirstInvalid(box.current);
  }, [error, box]);
  useEffect(() => {
    if (invalidCount === 0 || !box.current) return;
    focusFirstInvalid(box.current);
    ignoreSecondTap(box.current);
  }, [invalidCount, box]);
  return <form ref={box} noValidate {...props} />;
}
