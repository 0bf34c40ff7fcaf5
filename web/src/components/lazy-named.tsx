import {
  type ComponentType,
  createContext,
  lazy,
  type LazyExoticComponent,
  type ReactNode,
  Suspense,
  use,
  useReducer,
  useState,
} from 'react';
import { loadTexts, type Namespace } from '@/i18n/i18n';
import { connection, hasNoNetwork } from '@/lib/lost-connection';
import { type DialogSubject, hasSubject } from './dialog/dialog-subject';
import { OpenerContext, useOpener } from './dialog/opener';
import { useOnline } from './use-online';

interface Options<Props> {
  /** Texts that load with the code. */
  texts?: readonly Namespace[];
  /** Stands in its place until it is there. */
  fallback?: ReactNode | ((props: Props) => ReactNode);
  /** Nobody asked for it: where it cannot be loaded, nothing stands in its place and the screen does not break. */
  optional?: boolean;
  /** Returns what stands in its place where it cannot be loaded. Without it, the screen shows the error. */
  onFailure?: (error: unknown) => (props: Props) => ReactNode;
}

/**
 * A component that is exported by its name, with code that loads when it is first drawn:
 * `lazyNamed(() => import('./big'), 'Big')`. A failed load is forgotten: "Try again" and the return of the connection load
 * it afresh.
 */
export function lazyNamed<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  { texts = [], fallback = null, optional = false, onFailure }: Options<Props> = {},
): (props: Props) => ReactNode {
  // React keeps the outcome of a lazy component for ever, a failure too.
  let last: LazyExoticComponent<ComponentType<object>> | undefined;
  const latest = () =>
    (last ??= lazy(async () => {
      try {
        const [module] = await Promise.all([load(), loadTexts(...texts)]);
        return { default: module[name] as ComponentType<object> };
      } catch (error) {
        last = undefined;
        // Given up with a silent connection: the fallback stands until the server answers, and it is drawn again. An error would
        // take the whole screen, and what was typed on it.
        if (connection.isLost) return await new Promise<never>(() => undefined);
        if (optional) return { default: () => null };
        if (onFailure) return { default: onFailure(error) as ComponentType<object> };
        // What the screen already shows stays, and this part comes with the network.
        if (hasNoNetwork()) return await new Promise<never>(() => undefined);
        throw error;
      }
    }));
  return function LazyNamed(props) {
    const [, drawAgain] = useReducer((count: number) => count + 1, 0);
    useOnline(drawAgain);
    const Loaded = latest();
    return (
      <Suspense fallback={typeof fallback === 'function' ? fallback(props) : fallback}>
        <Loaded {...props} />
      </Suspense>
    );
  };
}

/** What every dialog has whose code loads when it is opened. */
export interface LazyDialogProps {
  subject: DialogSubject<unknown>;
  /** Missing in a question that must be answered. */
  onClose?: () => void;
}

/** What stands in place of a dialog that cannot be loaded. Sign-in pages, which have no messages, have none. */
export const NotOpenedContext = createContext<((props: LazyDialogProps) => ReactNode) | null>(null);

/**
 * The same for a dialog, with code that loads when it is first opened. The control that opened it is remembered at once:
 * the focus may be elsewhere when the code arrives. A dialog that cannot be loaded is closed with a message: the screen
 * stays with what was typed on it.
 */
export function lazyDialog<Name extends string, Props extends LazyDialogProps>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  options: Options<Props> = {},
): (props: Props) => ReactNode {
  const onFailure = (error: unknown) =>
    function Failed(props: Props) {
      const NotOpened = use(NotOpenedContext);
      if (!NotOpened || !props.onClose) throw error;
      return <NotOpened {...props} />;
    };
  const Loaded = lazyNamed(load, name, { onFailure, ...options });
  return function LazyDialog(props) {
    const isOpen = hasSubject(props.subject);
    const [wasOpened, setWasOpened] = useState(isOpen);
    if (isOpen && !wasOpened) setWasOpened(true);
    const opener = useOpener(isOpen);
    if (!wasOpened) return null;
    return (
      <OpenerContext value={opener}>
        <Loaded {...props} />
      </OpenerContext>
    );
  };
}
