declare global {
  /** Where `get-nonce`, used by the kit's scroll lock, looks for the nonce of its style elements. */
  var __webpack_nonce__: string | undefined;
}

/** The nonce of this answer, for the styles the kit writes at run time (strict content security policy). */
export function styleNonce(): string {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
  globalThis.__webpack_nonce__ = nonce;
  return nonce;
}
