import type { Schemas } from '@/api/client';
import classes from './guest-facts.module.css';

/** The display name of a guest in a table: breaks before the code only, never inside a name. */
export function GuestName({ guest }: { guest: Pick<Schemas['Guest'], 'displayName'> }) {
  const { displayName } = guest;
  const cut = displayName.lastIndexOf(' ');
  return (
    <>
      <span className={classes.name}>{displayName.slice(0, cut)}</span> <span>{displayName.slice(cut + 1)}</span>
    </>
  );
}
