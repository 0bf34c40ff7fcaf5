import { Fragment } from 'react';

/** A text that wraps after its @ and its dots before it wraps inside a word, as email addresses should. */
export function Breakable({ text }: { text: string }) {
  return (
    // One element, since a link may lay out its children side by side; `bdi`, so that it never turns around what is beside it.
    <bdi>
      {text.split(/(?<=[@.])/).map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>
          {index > 0 ? <wbr /> : null}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}
