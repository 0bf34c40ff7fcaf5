import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Delay between the last key and the search, in milliseconds. */
const DEBOUNCE_MS = 250;

interface SearchInputProps {
  /** Accessible name; also the placeholder unless `hasLabel` is set. */
  label: string;
  /** Shows the label above the field. */
  hasLabel?: boolean;
  placeholder?: string;
  /** The search text in effect, for example from the URL. */
  value: string;
  onChange: (value: string) => void;
  /** Name of this element for the tour. */
  tour?: string;
  /** Focused when the surrounding dialog opens. */
  isFirst?: boolean;
}

/**
 * Search field of a list. The text is local state: no key is lost and the caret stays in place while the router or the
 * server is still busy with an earlier text.
 */
export function SearchInput({
  label,
  hasLabel = false,
  placeholder,
  value,
  onChange,
  tour,
  isFirst,
}: SearchInputProps) {
  const { t } = useTranslation();
  const { typed, change, flush } = useDebouncedText(value, onChange);
  const input = useRef<HTMLInputElement>(null);
  return (
    <TextInput
      ref={input}
      type="text"
      inputMode="search"
      label={hasLabel ? label : undefined}
      aria-label={hasLabel ? undefined : label}
      placeholder={placeholder ?? (hasLabel ? undefined : label)}
      data-tour={tour}
      data-autofocus={isFirst}
      wrapperProps={{ 'data-print': 'hide' }}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Enter') return;
        // Enter must not submit a surrounding form.
        event.preventDefault();
        flush();
      }}
      leftSection={<Search size={16} aria-hidden />}
      rightSection={
        typed === '' ? null : (
          <CloseButton
            size="sm"
            aria-label={t('search.clear')}
            onClick={() => {
              change('');
              flush();
              input.current?.focus();
            }}
          />
        )
      }
      autoComplete="off"
      spellCheck={false}
      maxLength={100}
      w={{ base: '100%', xs: 320 }}
      maw="100%"
    />
  );
}

/** Local text that calls `onChange` after a pause and follows a `value` that was changed elsewhere. */
function useDebouncedText(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState(value);
  /** Texts passed to `onChange` that have not come back as `value` yet. */
  const pending = useRef<string[]>([]);
  const report = useDebouncedCallback(() => {
    const text = latest.current.trim();
    if (text === (pending.current.at(-1) ?? value)) return;
    pending.current.push(text);
    onChange(text);
  }, DEBOUNCE_MS);
  const latest = useRef(typed);
  const set = (text: string) => {
    latest.current = text;
    setTyped(text);
  };
  useEffect(() => {
    const index = pending.current.indexOf(value);
    if (index >= 0) {
      pending.current.splice(0, index + 1);
    } else if (value !== latest.current.trim()) {
      // Changed by the back button, a link or another part of the page.
      pending.current = [];
      report.cancel();
      latest.current = value;
      setTyped(value);
    }
    // Only when the value changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [value]);
  return {
    typed,
    change: (text: string) => {
      set(text);
      report();
    },
    /** Calls `onChange` at once. */
    flush: () => report.flush(),
  };
}
