import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface SubmitButtonProps extends Pick<ButtonProps, 'loading' | 'disabled' | 'fullWidth' | 'size'> {
  children: ReactNode;
}

/**
 * The button that sends a form. Pressing it does not take the focus from the field first: a field that complains when
 * it is left would push the button away under the pointer, and the click would be lost.
 */
export function SubmitButton({ children, ...props }: SubmitButtonProps) {
  return (
    <Button type="submit" {...props} onMouseDown={(event) => event.preventDefault()}>
      {children}
    </Button>
  );
}
