import { ActionIcon, NumberInput, type NumberInputHandlers } from '@mantine/core';
import { Minus, Plus } from 'lucide-react';
import { type ReactNode, type Ref, useRef } from 'react';
import classes from './count-input.module.css';

interface CountInputProps {
  label: ReactNode;
  /** Accessible name, if the label alone does not say what is counted. */
  accessibleLabel?: string;
  fewerLabel: string;
  moreLabel: string;
  /** A whole number; NaN while the field is empty. */
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
  onBlur?: () => void;
  error?: ReactNode;
  describedBy?: string;
  required?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/** Number input with large minus and plus buttons. */
export function CountInput(props: CountInputProps) {
  const { label, accessibleLabel, fewerLabel, moreLabel, value, min, max, onChange, describedBy, ...input } = props;
  const handlers = useRef<NumberInputHandlers>(undefined);
  return (
    <NumberInput
      {...input}
      classNames={{ wrapper: classes.wrapper, input: classes.input }}
      label={label}
      aria-label={accessibleLabel}
      aria-describedby={describedBy}
      size="md"
      // The kit sets another keyboard after its own properties.
      attributes={{ input: { inputMode: 'numeric' } }}
      value={Number.isNaN(value) ? '' : value}
      onChange={(next) => onChange(typeof next === 'number' ? next : Number.NaN)}
      min={min}
      max={max}
      allowDecimal={false}
      allowNegative={false}
      selectAllOnFocus
      hideControls
      handlersRef={handlers}
      leftSectionWidth={44}
      leftSection={
        <ActionIcon
          variant="default"
          size={42}
          aria-label={fewerLabel}
          disabled={value <= min}
          onClick={() => handlers.current?.decrement()}
        >
          <Minus size={18} aria-hidden />
        </ActionIcon>
      }
      rightSectionWidth={44}
      rightSection={
        <ActionIcon
          variant="default"
          size={42}
          aria-label={moreLabel}
          disabled={value >= max}
          onClick={() => handlers.current?.increment()}
        >
          <Plus size={18} aria-hidden />
        </ActionIcon>
      }
    />
  );
}
