import { useTranslation } from 'react-i18next';
import type { ImagePrefix } from '@/api/upload-image';
import { chosenAddress, fitOf } from '../input-pictures';
import { Picture } from '../picture';

import classes from './conflict-notice.module.css';

interface ConflictPicturesProps {
  paths: readonly string[];
  prefix: ImagePrefix;
  /** What the pictures are. */
  label: string;
  whose: 'theirs' | 'mine';
  /** How many pictures this version lost, which leave the form too. */
  removed: number;
}

/** The picture of one version, or all of them in their order. */
export function ConflictPictures({ paths, prefix, label, whose, removed }: ConflictPicturesProps) {
  const { t } = useTranslation('images');
  const alt = t(whose, { label });
  // All of each: two photos may differ at their edges.
  const fit = fitOf(prefix) === 'contain' ? 'contain' : 'whole';
  return (
    <span className={classes.pictures}>
      {paths.map((path, index) => (
        <Picture
          key={path}
          path={chosenAddress(path) ?? path}
          alt={paths.length > 1 ? `${alt} (${index + 1}/${paths.length})` : alt}
          width={112}
          height={112}
          fit={fit}
        />
      ))}
      {removed > 0 ? <span className={classes.removed}>{t('removedThere', { count: removed })}</span> : null}
    </span>
  );
}
