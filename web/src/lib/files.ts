/** The address of an uploaded picture (`GET /files/{path}`), or of one that only this browser has; undefined when there is none. */
export function fileAddress(path: string | null | undefined): string | undefined {
  if (!path) return undefined;
  return /^(\/|blob:)/.test(path) ? path : `/files/${path}`;
}
