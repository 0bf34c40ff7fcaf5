import { Button, type ButtonProps } from '@mantine/core';
import type { MouseEventHandler, ReactNode } from 'react';

interface SubmitButtonProps extends Pick<ButtonProps, 'loading' | 'disabled' | 'fullWidth' | 'size'> {
  onClick?: MouseEventHandler<HTMLButtonElement>;
  children: ReactNode;
}

/**
 * The button that sends a form. The second half of a double click sends nothing: the first may be refused by then, and a
 * wrong password or code would count twice. Nor does it press what has moved there (`steadyPress`).
 */
export function SubmitButton({ children, onClick, ...props }: SubmitButtonProps) {
  const handleClick: MouseEventHandler<HTMLButtonElement> = (event) => {
    if (event.detail > 1) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <Button data-steady type="submit" {...props} onClick={handleClick}>
      {children}
    </Button>
  );
}
