export interface SentCode {
  /** Masked by the server. */
  phone: string;
  /** Epoch milliseconds, by the server's clock, from which another code may be asked for. */
  resendAt: number;
}

/** What one sign-in screen hands to the next; it is in the history entry, never in the address. */
export interface SignInState {
  sent?: SentCode;
  /** Epoch milliseconds, by the server's clock, from which a code may be asked for, when none was sent. */
  waitUntil?: number;
  /** Whether it is because a code was sent a moment ago; else too many were asked for. */
  wasJustSent?: boolean;
  /** The phone just entered at set-up, so that another code can be sent to it. */
  newPhone?: string;
  /** Where the user wanted to go before signing in. */
  returnTo?: string;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    signIn?: SignInState;
  }
}
