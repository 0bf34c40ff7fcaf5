/** The address of an uploaded picture (`GET /files/{path}`); undefined when there is none. */
export function fileAddress(path: string | null | undefined): string | undefined {
  if (!path) return undefined;
  return path.startsWith('/') ? path : `/files/${path}`;
}
