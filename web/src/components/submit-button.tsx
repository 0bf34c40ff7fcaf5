import { Button, type ButtonProps } from '@mantine/core';
import type { MouseEventHandler, ReactNode } from 'react';

interface SubmitButtonProps extends Pick<ButtonProps, 'loading' | 'disabled' | 'fullWidth' | 'size'> {
  onClick?: MouseEventHandler<HTMLButtonElement>;
  children: ReactNode;
}

/** The button that sends a form. */
export function SubmitButton({ children, ...props }: SubmitButtonProps) {
  return (
    <Button type="submit" {...props}>
      {children}
    </Button>
  );
}
