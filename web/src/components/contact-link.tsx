import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Breakable } from './breakable';
import { formatPhone } from '@/lib/phone';

/** A phone number that a press calls. */
export function PhoneLink({ phone }: { phone: string }) {
  return (
    <Anchor href={`tel:${phone}`} inherit data-touch>
      {formatPhone(phone) || phone}
    </Anchor>
  );
}

/** An email address that a press writes to; `children` where it is shown in another way. */
export function EmailLink({ email, children = <Breakable text={email} /> }: { email: string; children?: ReactNode }) {
  return (
    <Anchor href={`mailto:${email}`} inherit data-touch>
      {children}
    </Anchor>
  );
}
