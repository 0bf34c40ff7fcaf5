import { Text } from '@mantine/core';
import { useBlocker, useRouter } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lostSites } from '@/lib/lost-sites';
import { noteUnsaved } from '@/lib/session-end';
import { ConfirmDialog } from '../dialog/confirm-dialog';
import { useCloseGuard } from '../dialog/dialog-context';
import { type HistoryAction, isTakenByLayer } from '../dialog/dialog-stack';
import { isReturning, returned, stayHere, stepsOfPop } from '../dialog/stay-here';
import { toast } from '../toast';

export interface UnsavedGuardOptions {
  /** Replaces the default question about leaving the page or the dialog. */
  text?: string;
  /** Called when the user chooses to leave, before the page changes. */
  onLeave?: () => void;
}

/**
 * Asks before unsaved changes are lost by closing the dialog, navigating or closing the tab. Back closes a dialog, which asks in
 * its own words. Does not ask when the session has ended: its data must not stay on the screen, and the sign-in page says that a
 * form was not saved. Says that the changes are lost if they go with their site, without a question (`live/forget-lost-sites`).
 *
 * `release` turns the guard off, for example after a save, until the next change. `isLost` tells a save that is refused later that
 * its form went with its site.
 */
export function useUnsavedGuard(
  isUnsaved: boolean,
  { text, onLeave }: UnsavedGuardOptions = {},
): { question: ReactNode; release: () => void; isLost: RefObject<boolean> } {
  const { t } = useTranslation();
  const { history } = useRouter();
  const [departure, setDeparture] = useState<Departure | null>(null);
  // A navigation that waits must not wait for ever: without an answer, the user stays.
  useEffect(() => departure?.stay, [departure]);
  // The answer of the server has come: the question is not true any more.
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(() => () => setDeparture(null), [text, isUnsaved]);
  const isReleased = useRef(false);
  const latest = useRef(isUnsaved);
  useEffect(() => {
    latest.current = isUnsaved;
    if (!isUnsaved) isReleased.current = false;
  }, [isUnsaved]);
  // Reads the latest state: the router may ask another guard first, and this render is outdated when it gets here.
  const mustAsk = () => latest.current && !isReleased.current;
  const release = () => {
    isReleased.current = true;
  };
  const isLost = useRef(false);
  // A form with a text of its own may still be saved, or is kept as a draft.
  const isGone = () => mustAsk() && !text;
  const tellLost = useEffectEvent((before: number) => {
    isLost.current = lostSites.count > before;
    if (isLost.current && isGone()) toast.error(t('leavePage.siteLost'));
  });
  useEffect(() => {
    const { count } = lostSites;
    return () => tellLost(count);
  }, []);
  useCloseGuard({ ask: () => (mustAsk() ? 'ask' : 'close'), text: () => text, release });
  /** Asks, and returns whether the navigation is stopped. */
  const ask = (action: HistoryAction): boolean | Promise<boolean> => {
    if (action === 'PUSH' || action === 'REPLACE') {
      return new Promise((resolve) => setDeparture({ text, leave: () => resolve(false), stay: () => resolve(true) }));
    }
    const steps = stepsOfPop(history);
    // An entry that the router has not made is one of this page: the link that skips to its content.
    if (Number.isNaN(steps)) return false;
    const leave = async () => {
      await returned();
      history.go(steps);
    };
    setDeparture({ text, leave: () => void leave(), stay: () => undefined });
    // The browser is at the other address already. It returns at once, so that another Back counts from here.
    return stayHere(history);
  };
  useBlocker({
    shouldBlockFn: ({ action, next }) => {
      if (!isEndOfSession(next)) return mustAsk() && !isReturning() && !isTakenByLayer(action, history) && ask(action);
      if (isGone()) noteUnsaved('form');
      return false;
    },
    enableBeforeUnload: mustAsk,
    disabled: !isUnsaved,
  });
  const question = (
    <ConfirmDialog
      danger
      subject={departure}
      title={t('leavePage.title')}
      confirmLabel={t('action.leave')}
      cancelLabel={t('action.stay')}
      onConfirm={({ leave }) => {
        setDeparture(null);
        onLeave?.();
        release();
        leave();
      }}
      onCancel={() => setDeparture(null)}
    >
      {(asked) => <Text>{asked.text ?? t('leavePage.text')}</Text>}
    </ConfirmDialog>
  );
  return { question, release, isLost };
}

/** A navigation that waits for an answer. */
interface Departure {
  /** What is asked; it stays while the question fades. */
  text: string | undefined;
  leave: () => void;
  stay: () => void;
}

/** Returns true for the navigation after a 401 or the idle limit; signing out by hand still asks. */
function isEndOfSession({ pathname, search }: { pathname: string; search: object }): boolean {
  return pathname === '/login' || (pathname === '/logout' && 'reason' in search && search.reason === 'idle');
}
