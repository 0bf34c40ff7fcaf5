import type { ComponentProps, MouseEvent } from 'react';

interface ButtonElementProps extends ComponentProps<'button'> {
  /** Set by the kit while the button shows that its work runs. */
  'data-loading'?: boolean;
  /** Set by the kit if the button is off for another reason. */
  'data-disabled'?: boolean;
}

/**
 * The element of all buttons (`theme.ts`). While its work runs, a button ignores presses and keeps the focus. `disabled`, which
 * the kit gives it, would leave the focus on nothing, and after a refusal the keyboard would start at the top of the page.
 */
export function ButtonElement({ type = 'button', disabled, onClick, ...props }: ButtonElementProps) {
  const isWorking = props['data-loading'] && !props['data-disabled'];
  return (
    <button
      {...props}
      type={type}
      disabled={disabled && !isWorking}
      aria-disabled={isWorking || props['aria-disabled']}
      onClick={isWorking ? ignore : onClick}
    />
  );
}

/** Also keeps the form from being sent: Enter in a field clicks its submit button. */
function ignore(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
