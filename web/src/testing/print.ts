/** Does what a browser does around printing. Returns the text of each sheet that was on paper. */
export function printedSheets(): string[] {
  window.dispatchEvent(new Event('beforeprint'));
  const sheets = [...document.querySelectorAll('[data-print-report]')].map((sheet) => sheet.textContent);
  window.dispatchEvent(new Event('afterprint'));
  return sheets;
}
