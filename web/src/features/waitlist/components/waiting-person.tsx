import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { EmailLink, PhoneLink } from '@/components/contact-link';
import { useCatalogNames } from '@/components/use-catalog-names';
import { useNow } from '@/components/use-now';
import type { CommandState } from '@/features/guests/api/guest-commands';
import { CommandWait } from '@/features/guests/ui/command-wait';
import { HoldLeft } from '@/features/guests/ui/hold-left';
import { useBedTexts } from '@/features/houses/ui/use-bed-texts';
import { steadyPress } from '@/lib/steady-press';
import { waitedFor } from '../waitlist.utils';
import classes from './waitlist.module.css';

/** What a press asks for; taking the bed and opening the form are not asked about first. */
export type WaitAction = 'take' | 'decline' | 'edit' | 'leave' | 'prioritize' | 'unprioritize';

interface WaitingPersonProps {
  person: Schemas['WaitingGuest'];
  place: number;
  mayChange: boolean;
  /** Why no vacant bed is offered to the person. */
  notOffered: string | null;
  /** How far a change of the person has got whose outcome is not known yet. */
  state: CommandState | undefined;
  onAction: (action: WaitAction, person: Schemas['WaitingGuest']) => void;
}

/** A person of the waitlist: who, since when, what they need, and the offer that stands. */
export function WaitingPerson({ person, place, mayChange, notOffered, state, onAction }: WaitingPersonProps) {
  const { t } = useTranslation('reservations', { keyPrefix: 'waitlist' });
  const { t: guests } = useTranslation('guests');
  const names = useCatalogNames();
  const beds = useBedTexts();
  const waited = waitedFor(Date.parse(person.waitsSince), useNow(60_000));
  const name = `${person.firstName} ${person.lastName}.`;
  const needs = [
    person.age ? names.service(person.age) : null,
    guests(`gender.${person.gender}`),
    person.bedType ? t('needsType', { type: beds.type(person.bedType) }) : t('anyType'),
  ].filter(Boolean);
  const isBusy = state !== undefined;
  const button = (action: WaitAction, variant: 'filled' | 'default' | 'subtle') => (
    <Button
      size="sm"
      variant={variant}
      // Not `disabled`, which would take the focus away.
      aria-disabled={isBusy}
      data-disabled={isBusy || undefined}
      aria-label={t('action.label', { action: t(`action.${action}`), name })}
      onClick={() => {
        if (!isBusy) onAction(action, person);
      }}
    >
      {t(`action.${action}`)}
    </Button>
  );
  return (
    <li className={classes.person} tabIndex={-1} data-offered={person.offer !== null} data-waiting={person.id}>
      <span className={classes.place} aria-hidden>
        {place}
      </span>
      <div className={classes.text}>
        <span>
          <span className={classes.name}>{name}</span> <span className={classes.dim}>{person.code}</span>{' '}
          {person.hasPriority ? <span className={classes.priority}>{t('priority')}</span> : null}
        </span>
        <span className={person.offer ? classes.offer : classes.noOffer}>
          {/* Rendered before there is an offer, so that screen readers announce it. The time left stays outside because it
              changes. */}
          <span role="status">
            {person.offer ? t('offered', { bed: person.offer.bedName, house: person.offer.roomName }) : null}
          </span>{' '}
          {person.offer ? <HoldLeft expiresAt={person.offer.expiresAt} /> : null}
        </span>
        <span className={classes.dim}>{needs.join(' · ')}</span>
        <span className={classes.dim}>
          {waited.unit === 'minutes' && waited.count === 0
            ? t('waited.now')
            : t(`waited.${waited.unit}`, { count: waited.count })}
          {person.passedOffers > 0 ? ` · ${t('passed', { count: person.passedOffers })}` : ''}
        </span>
        {notOffered ? <span className={classes.dim}>{notOffered}</span> : null}
        {person.priorityReason ? (
          <span className={classes.dim}>{t('priorityReason', { reason: person.priorityReason })}</span>
        ) : null}
        {person.phone ? <PhoneLink phone={person.phone} /> : null}
        {person.email ? <EmailLink email={person.email} /> : null}
      </div>
      {mayChange ? (
        <div className={classes.actions} {...steadyPress}>
          {person.offer ? button('take', 'filled') : null}
          {person.offer ? button('decline', 'default') : null}
          {button(person.hasPriority ? 'unprioritize' : 'prioritize', 'default')}
          {button('edit', 'default')}
          {button('leave', 'default')}
        </div>
      ) : null}
      <div className={classes.wait}>
        <CommandWait state={state} />
      </div>
    </li>
  );
}
