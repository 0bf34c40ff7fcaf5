import type { ReactNode } from 'react';
import classes from './today.module.css';

interface SectionProps {
  /** Id of the heading, which names the list below. */
  id: string;
  title: string;
  /** Stands at the other end of the heading's line. */
  side?: ReactNode;
  /** Name of the section for the tour, and its place in the layout. */
  part: 'waiting' | 'arriving' | 'free' | 'moves' | 'soon';
  children: ReactNode;
  /** Level of the heading. */
  level?: 2 | 3;
}

/** One part of Today. Its heading can receive the focus. */
export function Section({ id, title, side, part, children, level = 2 }: SectionProps) {
  const Heading = `h${level}` as const;
  return (
    <section className={classes.section} data-part={part} aria-labelledby={id} data-tour={`today-${part}`}>
      <div className={classes.sectionHead}>
        <Heading id={id} tabIndex={-1} className={classes.heading}>
          {title}
        </Heading>
        {side}
      </div>
      {children}
    </section>
  );
}
