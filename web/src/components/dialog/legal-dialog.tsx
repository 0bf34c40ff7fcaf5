import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { ReasonTooltip } from '../reason-tooltip';
import { DialogFrame } from './dialog-frame';
import classes from './legal-dialog.module.css';

interface LegalDialogProps {
  subject: boolean;
  title: string;
  /** The text; it may load late. */
  children: ReactNode;
  labels: { accept: string; decline: string; close: string; text: string; scrollFirst: string };
  onAccept: () => void;
  onDecline: () => void;
}

/** A text that must be read to its end before it can be accepted (spec B section 2). */
export function LegalDialog(props: LegalDialogProps) {
  return (
    <DialogFrame
      subject={props.subject}
      onClose={props.onDecline}
      title={props.title}
      width={800}
      closeLabel={props.labels.close}
    >
      <Reading {...props} />
    </DialogFrame>
  );
}

/** The text and its two answers; each opening begins unread. */
function Reading({ children, labels, onAccept, onDecline }: LegalDialogProps) {
  const hintId = useId();
  const [hasReachedEnd, setHasReachedEnd] = useState(false);
  return (
    <Stack gap="md">
      <TextToTheEnd label={labels.text} onEnd={() => setHasReachedEnd(true)}>
        {children}
      </TextToTheEnd>
      <Group justify="space-between" gap="sm">
        <Text id={hintId} size="sm" c="dimmed" aria-live="polite">
          {hasReachedEnd ? '' : labels.scrollFirst}
        </Text>
        <Group gap="sm">
          <Button variant="default" onClick={onDecline}>
            {labels.decline}
          </Button>
          <ReasonTooltip reason={hasReachedEnd ? null : labels.scrollFirst}>
            <Button onClick={onAccept}>{labels.accept}</Button>
          </ReasonTooltip>
        </Group>
      </Group>
    </Stack>
  );
}

/** The scrolling text. Its last line, once seen, counts as the end; so does a text that fits as a whole. */
function TextToTheEnd({ label, onEnd, children }: { label: string; onEnd: () => void; children: ReactNode }) {
  const region = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!region.current || !end.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        // A text that is not there yet has no end.
        const hasText = region.current?.textContent.trim() !== '';
        if (hasText && entries.some((entry) => entry.isIntersecting)) onEnd();
      },
      { root: region.current, rootMargin: '0px 0px 8px 0px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  });
  return (
    <div
      ref={region}
      className={classes.text}
      role="region"
      aria-label={label}
      // A scrolling area must be reachable by keyboard; here it is also where reading begins.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-autofocus
    >
      {children}
      <div ref={end} style={{ height: 1 }} />
    </div>
  );
}
