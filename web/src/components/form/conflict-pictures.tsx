import type { ImagePrefix } from '@/api/upload-image';
import { chosenAddress } from '../chosen-pictures';
import { fitOf, Picture } from '../picture';
import classes from './conflict-notice.module.css';

interface ConflictPicturesProps {
  paths: readonly string[];
  prefix: ImagePrefix;
  /** What the pictures are, and whose. */
  alt: string;
}

/** The picture of one version, or all of them in their order. */
export function ConflictPictures({ paths, prefix, alt }: ConflictPicturesProps) {
  return (
    <span className={classes.pictures}>
      {paths.map((path, index) => (
        <Picture
          key={path}
          path={path}
          source={chosenAddress(path)}
          alt={paths.length > 1 ? `${alt} (${index + 1}/${paths.length})` : alt}
          width={96}
          height={96}
          fit={fitOf(prefix)}
        />
      ))}
    </span>
  );
}

/** Returns the paths in the value of a picture field: one, none, or those of several photos. */
export function pathsIn(value: unknown): readonly string[] {
  const paths: readonly unknown[] = Array.isArray(value) ? value : [value];
  return paths.filter((path): path is string => typeof path === 'string' && path !== '');
}
