import { truncate } from '@/lib/text';

/** Names in lists are cut to 20 characters (spec A section 9). */
const LIMIT = 20;

/** A name in a list: cut for the eye, whole for the pointer and for screen readers. */
export function ShortName({ name }: { name: string }) {
  const short = truncate(name, LIMIT);
  if (short === name) return name;
  return (
    <>
      <span title={name} aria-hidden>
        {short}
      </span>
      <span className="berth-hidden">{name}</span>
    </>
  );
}
