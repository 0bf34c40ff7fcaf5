/** The title of the browser's tab: what the screen is called, and before it how many reservations wait. */
let title = '';
let waiting = 0;

function write(): void {
  document.title = waiting > 0 ? `(${waiting}) ${title}` : title;
}

/** Names the screen. */
export function setDocumentTitle(text: string): void {
  title = text;
  write();
}

/** Says how many reservations wait, until it is called again; 0 says nothing. */
export function setWaitingInTitle(count: number): void {
  if (count === waiting) return;
  waiting = count;
  write();
}
