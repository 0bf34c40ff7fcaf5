import type { Schemas } from '@/api/client';
import { useNow } from '@/components/use-now';
import classes from './guest-facts.module.css';
import { holdLeft, holdShare } from './hold.utils';

/** What is left of a hold as a bar, beside the words of `HoldLeft`; nothing for a reservation without a hold. */
export function HoldBar({ guest }: { guest: Pick<Schemas['Guest'], 'createdAt' | 'expiresAt'> }) {
  return guest.expiresAt === null ? null : (
    <Bar createdAt={Date.parse(guest.createdAt)} expiresAt={Date.parse(guest.expiresAt)} />
  );
}

function Bar({ createdAt, expiresAt }: { createdAt: number; expiresAt: number }) {
  const now = useNow(1000);
  const left = holdLeft(expiresAt, now);
  return (
    <span className={classes.bar} data-urgent={left.kind === 'over' || left.isUrgent} aria-hidden>
      <span style={{ width: `${(holdShare(createdAt, expiresAt, now) * 100).toFixed(1)}%` }} />
    </span>
  );
}
