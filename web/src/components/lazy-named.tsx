import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { loadTexts, type Namespace } from '@/i18n/i18n';
import { type DialogSubject, hasSubject } from './dialog/dialog-subject';
import { OpenerContext, useOpener } from './dialog/return-focus';

interface Options<Props> {
  /** Texts that load with the code. */
  texts?: readonly Namespace[];
  /** Stands in its place until it is there. */
  fallback?: ReactNode | ((props: Props) => ReactNode);
}

/**
 * A component that is exported by its name, with code that loads when it is first drawn:
 * `lazyNamed(() => import('./big'), 'Big')`.
 */
export function lazyNamed<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  { texts = [], fallback = null }: Options<Props> = {},
): (props: Props) => ReactNode {
  const Loaded = lazy(async () => {
    const [module] = await Promise.all([load(), loadTexts(...texts)]);
    return { default: module[name] as ComponentType<object> };
  });
  return function LazyNamed(props) {
    return (
      <Suspense fallback={typeof fallback === 'function' ? fallback(props) : fallback}>
        <Loaded {...props} />
      </Suspense>
    );
  };
}

/**
 * The same for a dialog, with code that loads when it is first opened. The control that opened it is remembered at once:
 * the focus may be elsewhere when the code arrives.
 */
export function lazyDialog<Name extends string, Props extends { subject: DialogSubject<unknown> }>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  options: Options<Props> = {},
): (props: Props) => ReactNode {
  const Loaded = lazyNamed(load, name, options);
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
