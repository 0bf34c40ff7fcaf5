import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

interface OwnFactProps {
  label: string;
  value: string;
  /** Words of the button that leads to the form. */
  changeLabel: string;
  onChange: () => void;
  /** The fact is there at `show`; at every other step, what is given as `children`. */
  step: string;
  children: ReactNode;
}

/** A fact of the own account as it is now, with the form that changes it in its place. */
export function OwnFact({ label, value, changeLabel, onChange, step, children }: OwnFactProps) {
  const box = useRef<HTMLDivElement>(null);
  const lastStep = useRef(step);
  useEffect(() => {
    if (lastStep.current === step) return;
    lastStep.current = step;
    // What stood here has gone with the focus.
    const next = box.current?.querySelector('input') ?? box.current?.querySelector<HTMLElement>('button, [tabindex]');
    next?.focus();
  }, [step]);
  return (
    <div ref={box}>
      {step === 'show' ? (
        <Group justify="space-between">
          <div>
            <Text size="sm" c="dimmed">
              {label}
            </Text>
            <Text className="tabular">{value}</Text>
          </div>
          <Button variant="default" onClick={onChange}>
            {changeLabel}
          </Button>
        </Group>
      ) : (
        children
      )}
    </div>
  );
}
