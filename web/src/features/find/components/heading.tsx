import { Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { hasNavigated } from '../use-address';

/** The heading of a view. It takes the focus after a change of view, and names the page without naming a guest. */
export function Heading({ children, pageTitle }: { children: string; pageTitle?: string }) {
  const { t } = useTranslation('find');
  const heading = useRef<HTMLHeadingElement>(null);
  const title = pageTitle ?? children;
  useEffect(() => {
    document.title = title === t('title') ? title : `${title} · ${t('title')}`;
  }, [title, t]);
  useEffect(() => {
    if (hasNavigated()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Title order={1} ref={heading} tabIndex={-1} data-page-heading>
      {children}
    </Title>
  );
}
