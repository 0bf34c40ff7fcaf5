import { Button } from '@mantine/core';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';

interface OtherChoicesProps {
  label: string;
  /** One of them is chosen: they stay in sight. */
  isChosen: boolean;
  children: ReactNode;
}

/** Choices that the site does not serve, behind a button: possible, but not the first thing that is offered. */
export function OtherChoices({ label, isChosen, children }: OtherChoicesProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const isShown = isOpen || isChosen;
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        mt={4}
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        rightSection={isShown ? <ChevronUp size={16} aria-hidden /> : <ChevronDown size={16} aria-hidden />}
        onClick={() => setOpen(!isShown)}
      >
        {label}
      </Button>
      {isShown ? <div id={id}>{children}</div> : null}
    </>
  );
}
