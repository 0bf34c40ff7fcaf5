import { NativeSelect, Text } from '@mantine/core';
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** One of several values that may go with an answer. */
export interface Choice {
  label: string;
  /** Text of going without. */
  none: string;
  /** What there is to choose; undefined while it loads. Where there is nothing, there is no field. */
  options: readonly { value: string; label: string }[] | undefined;
  /** Stands in the field while the options load. */
  loading?: string;
  /** Stands in place of the field when the options could not be loaded. */
  failed?: string | undefined;
}

interface ChoiceFieldProps {
  choice: Choice;
  value: string;
  onChange: (value: string) => void;
  disabled: boolean;
}

/** The field for a choice. It has its room before its options are there: nothing moves under the finger when they arrive. */
export function ChoiceField({ choice, value, onChange, disabled }: ChoiceFieldProps) {
  const { label, none, options, loading = '', failed } = choice;
  const isLoading = options === undefined && failed === undefined;
  const isNone = options?.length === 0;
  const box = useRoom(isLoading, isNone);
  if (isNone) return null;
  return (
    <div ref={box}>
      {failed === undefined ? (
        <NativeSelect
          label={label}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          disabled={disabled || isLoading}
          data={options ? [{ value: '', label: none }, ...options] : [{ value: '', label: loading }]}
        />
      ) : (
        <Text c="dimmed">{failed}</Text>
      )}
    </div>
  );
}

/**
 * Keeps the room of the field when it fails to load. When it turns out not to be needed, the dialog shrinks from above: it
 * stands in the middle of the window, so that its buttons would move otherwise.
 */
function useRoom(isLoading: boolean, isNone: boolean): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef<{ dialog: HTMLElement; height: number } | null>(null);
  useLayoutEffect(() => {
    if (isLoading && box.current) {
      box.current.style.minHeight = `${box.current.offsetHeight}px`;
      const dialog = box.current.closest<HTMLElement>('[role="dialog"]');
      before.current = dialog && { dialog, height: dialog.offsetHeight };
      return;
    }
    if (isNone && before.current) {
      const { dialog, height } = before.current;
      const lost = `${height - dialog.offsetHeight}px`;
      dialog.style.marginTop = lost;
      dialog.style.maxHeight = `calc(100dvh - var(--modal-y-offset) * 2 - ${lost})`;
    }
    before.current = null;
  });
  return box;
}
