import { truncate } from '@/lib/text';
import classes from './short-name.module.css';

/** Names in lists are cut to 20 characters (spec A section 9). */
const LIMIT = 20;

/**
 * A name in a list: cut for the eye, whole for screen readers, and whole for everybody while the pointer or the focus is
 * on the link or button that it stands in. Where nothing can be pointed at, as on a phone, it is whole at once, in two lines.
 */
export function ShortName({ name }: { name: string }) {
  const short = truncate(name, LIMIT);
  if (short === name) return name;
  return (
    <span className={classes.name}>
      <span aria-hidden className={classes.cut}>
        {short}
      </span>
      <span className={classes.whole}>{name}</span>
    </span>
  );
}
