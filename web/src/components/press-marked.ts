/**
 * Presses the control that is marked with `data-shortcut` for a key: that of the row with the focus (`data-shortcut-scope`),
 * or the only one on the screen. Of several, the first gets the focus, so that the same key then presses it. While a dialog
 * is open, only its own controls count.
 */
export function pressMarked(key: string): void {
  const screen = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document;
  const marked = [...screen.querySelectorAll<HTMLElement>(`[data-shortcut="${key}"]`)].filter(isSeen);
  const row = document.activeElement?.closest('[data-shortcut-scope]');
  const own = row ? marked.find((control) => row.contains(control)) : undefined;
  const control = own ?? (marked.length === 1 ? marked[0] : undefined);
  if (control) control.click();
  else marked[0]?.focus();
}

function isSeen(element: HTMLElement): boolean {
  return element.getClientRects().length > 0;
}
