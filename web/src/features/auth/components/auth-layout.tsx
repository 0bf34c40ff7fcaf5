import { Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { setDocumentTitle } from '@/lib/document-title';
import classes from './auth.module.css';

/** Which tiles of the ornament are taken: a quiet picture of a house half full. */
const TAKEN = [0, 2, 3, 5, 7, 8, 12, 13, 15, 17];
const NEXT = 10;

interface AuthLayoutProps {
  title: string;
  text?: string;
  children: ReactNode;
}

/** The frame of all sign-in screens: the promise on one side, one small form on the other. */
export function AuthLayout({ title, text, children }: AuthLayoutProps) {
  const { t } = useTranslation('auth');
  useEffect(() => {
    setDocumentTitle(`${title} · Berth`);
  }, [title]);
  return (
    <div className={classes.page}>
      <div className={classes.side}>
        <p className={classes.tagline}>{t('tagline')}</p>
        <p className={classes.hint}>{t('taglineHint')}</p>
        <div className={classes.tiles} aria-hidden>
          {Array.from({ length: 18 }, (_, index) => (
            <span key={index} className={classes.tile} data-taken={TAKEN.includes(index)} data-next={index === NEXT} />
          ))}
        </div>
      </div>
      <div className={classes.main}>
        <Stack gap="lg" className={classes.form}>
          <Stack gap={4}>
            <Title order={1} tabIndex={-1} data-page-heading>
              {title}
            </Title>
            {text ? <Text c="dimmed">{text}</Text> : null}
          </Stack>
          {children}
        </Stack>
      </div>
    </div>
  );
}
