import { useEffect, useState } from 'react';

/**
 * Returns the letters that are typed after the search was opened and before its field has the focus. They are meant for the
 * search: the shortcuts of the page below and a focused button get none of them.
 */
export function useTypedAhead(isOpen: boolean): string {
  const [typed, setTyped] = useState('');
  useEffect(() => {
    if (!isOpen) return undefined;
    const take = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      if (target instanceof Element && target.closest('[role="dialog"]')) return;
      if (ctrlKey || metaKey || altKey || event.isComposing) return;
      if (key.length === 1) setTyped((before) => before + key);
      else if (key === 'Backspace') setTyped((before) => before.slice(0, -1));
      else if (key !== 'Enter') return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', take, { capture: true });
    return () => {
      document.removeEventListener('keydown', take, { capture: true });
      setTyped('');
    };
  }, [isOpen]);
  return typed;
}
