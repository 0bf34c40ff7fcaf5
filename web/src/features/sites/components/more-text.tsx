import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortDescription } from '../site-information.utils';
import classes from './site-information.module.css';

/** A long text by its beginning, the whole of it on demand (spec A section 9). */
export function MoreText({ text }: { text: string }) {
  const { t } = useTranslation('site-info');
  const [isWhole, setWhole] = useState(false);
  const id = useId();
  const short = shortDescription(text);
  if (short === undefined) return <span className={classes.description}>{text}</span>;
  return (
    <>
      <span id={id} className={classes.description}>
        {isWhole ? text : short}
      </span>{' '}
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={isWhole}
        aria-controls={id}
        onClick={() => setWhole(!isWhole)}
      >
        {t(isWhole ? 'less' : 'more')}
      </Button>
    </>
  );
}
