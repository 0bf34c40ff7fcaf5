import { Tooltip, VisuallyHidden } from '@mantine/core';
import { cloneElement, type MouseEvent, type ReactElement, useId } from 'react';

interface Blockable {
  onClick?: (event: MouseEvent) => void;
  'aria-disabled'?: boolean;
  'aria-describedby'?: string;
  'data-disabled'?: boolean;
}

interface ReasonTooltipProps {
  /** Why the control does nothing now; without a reason the control is left as it is. */
  reason?: string | null;
  children: ReactElement<Blockable>;
}

/**
 * A control that is off for a reason stays focusable and tells it, by a tooltip and to screen readers
 * (guide web section 14).
 */
export function ReasonTooltip({ reason, children }: ReasonTooltipProps) {
  const id = useId();
  if (!reason) return children;
  return (
    <>
      <Tooltip label={reason} openDelay={100}>
        {cloneElement(children, {
          'aria-disabled': true,
          'data-disabled': true,
          'aria-describedby': id,
          onClick: (event) => event.preventDefault(),
        })}
      </Tooltip>
      <VisuallyHidden id={id}>{reason}</VisuallyHidden>
    </>
  );
}
