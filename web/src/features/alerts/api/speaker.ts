import { useEffect } from 'react';

/**
 * One tab of the browser speaks for all of them: the one that was last looked at, as long as it is seen. It plays the sound,
 * which a browser allows best where somebody pressed something, and shows the notifications.
 */
const LOCK = 'berth.alerts';

let isSpeaking = false;

/** Returns true in the one tab that speaks; everywhere where a browser has no locks. */
export function isSpeaker(): boolean {
  return isSpeaking || !('locks' in navigator);
}

/** Takes part in the choice of the tab that speaks, while the component is mounted. */
export function useSpeaker(): void {
  useEffect(() => ('locks' in navigator ? takePart() : undefined), []);
}

function takePart(): () => void {
  /** Ends the turn of this tab, or its place in the line. */
  let leave: () => void = () => undefined;
  let isOver = false;

  const request = (steal: boolean) => {
    leave();
    const line = new AbortController();
    let isMine = false;
    let end: () => void = () => undefined;
    leave = () => {
      line.abort();
      end();
      if (isMine) isSpeaking = false;
      isMine = false;
    };
    const hold = () => {
      isMine = true;
      isSpeaking = true;
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    };
    const mine = leave;
    navigator.locks
      // `steal` cannot be combined with an abort signal.
      .request(LOCK, steal ? { steal } : { signal: line.signal }, hold)
      .catch(() => {
        // Another tab took it: this one waits in line for the end of that tab.
        if (leave !== mine || isOver) return;
        request(false);
      });
  };
  const handleSeen = () => {
    if (document.visibilityState === 'hidden') request(false);
    else if (!isSpeaking) request(true);
  };
  request(document.visibilityState === 'visible');
  document.addEventListener('visibilitychange', handleSeen);
  window.addEventListener('focus', handleSeen);
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', handleSeen);
    window.removeEventListener('focus', handleSeen);
    leave();
  };
}
