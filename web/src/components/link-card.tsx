import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './link-card.module.css';

interface LinkCardProps {
  /** Without one the card leads nowhere; what may be done with the thing is in its menu. */
  link?: Pick<LinkProps, 'to' | 'params' | 'search'>;
  /** The picture before the name. */
  mark?: ReactNode;
  name: ReactNode;
  /** Lines below the name. */
  details?: ReactNode;
  /** What stands below, e.g. the big counts. */
  children?: ReactNode;
  dimmed?: boolean;
  /** Stands at the top over the whole width, e.g. a photo. */
  cover?: ReactNode;
  /** What else may be done with the thing, e.g. a menu; it lies over the link. */
  actions?: ReactNode;
}

/** A card that leads to the thing it shows, if anywhere: the name is the link, the whole card its target. */
export function LinkCard({ link, mark, name, details, children, dimmed = false, cover, actions }: LinkCardProps) {
  return (
    <div className={classes.card} data-dimmed={dimmed} data-leads={link !== undefined}>
      {cover ? <div className={classes.cover}>{cover}</div> : null}
      <div className={classes.head}>
        {mark}
        <div className={classes.words}>
          <h2 className={classes.name}>
            {link ? (
              <Link {...link} className={classes.link}>
                {name}
              </Link>
            ) : (
              name
            )}
          </h2>
          {details ? <div className={classes.details}>{details}</div> : null}
        </div>
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </div>
      {children}
    </div>
  );
}

/** A list of cards: 3 columns, 2 under 1128 px (spec A section 9), 1 on a phone. */
export function CardGrid({ label, children }: { label: string; children: readonly ReactNode[] }) {
  return (
    <ul className={classes.grid} aria-label={label} data-tour="cards">
      {children}
    </ul>
  );
}
