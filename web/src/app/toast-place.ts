const WIDTH = 480;
const GAP = 8;
/** In less room a sentence has so many lines that it covers more than a wide message does. */
const MIN_WIDTH = 240;
/** What of a message is not its text: icon, cross, padding. */
const FURNITURE = 72;
/** Width of a letter on average. */
const LETTER = 7.5;

/**
 * Messages stand over no menu, button, field or bed: beside a dialog, at the top of the window. In a narrow window that is
 * the head of the dialog, up to its cross. Without a dialog it is the free part of the header of the page, whose place
 * depends on the banner above it and on how far the page is scrolled. Where a sentence would have more than two lines there,
 * it stands below the header of the page, as wide as the window.
 */
export function placeToasts(): void {
  const dialog = topDialog();
  if (dialog) placeAtDialog(dialog);
  else placeInHeader();
}

/** Places messages anew when one comes, when a dialog opens or closes and when the page is scrolled, until the returned function is called. */
export function keepToastsPlaced(): () => void {
  let frame: number | undefined;
  const placeSoon = () => {
    frame ??= requestAnimationFrame(() => {
      frame = undefined;
      placeToasts();
    });
  };
  let dialog = topDialog();
  let count = messages().length;
  const observer = new MutationObserver(() => {
    const now = { dialog: topDialog(), count: messages().length };
    if (now.dialog !== dialog || now.count !== count) placeSoon();
    ({ dialog, count } = now);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  // A dialog that slides in has its place at the end of that.
  const events = ['scroll', 'resize', 'transitionend'] as const;
  for (const name of events) window.addEventListener(name, placeSoon, { passive: true, capture: true });
  return () => {
    observer.disconnect();
    for (const name of events) window.removeEventListener(name, placeSoon, { capture: true });
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}

function topDialog(): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('[role="dialog"][aria-modal="true"]')].at(-1);
}

function placeAtDialog(dialog: HTMLElement): void {
  const cross = dialog.querySelector('header button')?.getBoundingClientRect();
  const { clientWidth } = document.documentElement;
  // Beside it, where there is room: its head says whom the message is about.
  const beside = dialog.getBoundingClientRect().left - 2 * GAP;
  if (beside >= MIN_WIDTH) {
    place(GAP / 2, clientWidth - beside - GAP, Math.min(WIDTH, beside));
    return;
  }
  const right = cross ? clientWidth - cross.left + GAP : GAP;
  const width = Math.min(WIDTH, clientWidth - right - GAP);
  // Wider than the narrow drawer of the navigation, and low enough for its head.
  if (width < MIN_WIDTH) place(GAP / 2, GAP, clientWidth - 2 * GAP);
  else place(GAP / 2, right, width);
}

function placeInHeader(): void {
  const element = [...document.querySelectorAll('[data-toast-area]')].at(-1);
  const { clientWidth } = document.documentElement;
  if (!element) {
    // Not where a dialog was that has closed.
    place(GAP, GAP, Math.min(WIDTH, clientWidth - 2 * GAP));
    return;
  }
  const area = element.getBoundingClientRect();
  const header = (element.closest('header') ?? element).getBoundingClientRect();
  const isLong = area.width < WIDTH && longestText() * LETTER > 2 * (area.width - FURNITURE);
  if (area.width < MIN_WIDTH || isLong) {
    place(Math.max(0, header.bottom) + GAP, GAP, Math.min(WIDTH, clientWidth - 2 * GAP));
  } else {
    place(Math.max(0, header.top) + GAP / 2, clientWidth - area.right, Math.min(WIDTH, area.width));
  }
}

/** Letters of the longest message, with those of its button. */
function longestText(): number {
  return Math.max(0, ...messages().map(({ textContent }) => textContent.length));
}

function messages(): Element[] {
  return [...document.querySelectorAll('.mantine-Notifications-notification')];
}

function place(top: number, right: number, width: number): void {
  const { style } = document.documentElement;
  style.setProperty('--berth-toast-top', `${Math.round(top)}px`);
  style.setProperty('--berth-toast-right', `${Math.round(right)}px`);
  style.setProperty('--berth-toast-width', `${Math.round(width)}px`);
}
