import { Anchor } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
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

/** A text that wraps after its @ and its dots before it wraps inside a word, as email addresses should. */
export function Breakable({ text }: { text: string }) {
  return (
    // One element: the link may lay out what is in it side by side. One of its own: it never turns around what is beside it.
    <bdi>
      {text.split(/(?<=[@.])/).map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </bdi>
  );
}
