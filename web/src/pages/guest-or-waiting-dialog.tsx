import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { toast } from '@/components/toast';
import { NewGuestDialog } from '@/features/reservations/components/new-guest-dialog';
import type { AfterAdding } from '@/features/reservations/use-new-guest';
import { useWait } from '@/features/waitlist/api/waitlist-commands';
import { NewcomerNeeds } from './waiting-needs';

interface GuestOrWaitingDialogProps {
  subject: boolean;
  site: Schemas['SiteDetails'];
  /** What the form does when it opens. */
  startsAs: 'guest' | 'waiting';
  onClose: () => void;
  /** The guest was added; the user wants the list, or the beds for this guest. */
  onAdded: (guest: Schemas['Guest'], leadsTo: AfterAdding) => void;
}

/**
 * The form for a new guest, who gets a reservation or is put on the waitlist. If the server finds a bed free, or none, it turns into the
 * other with all that was typed.
 */
export function GuestOrWaitingDialog({ subject, site, startsAs, onClose, onAdded }: GuestOrWaitingDialogProps) {
  const { t } = useTranslation('reservations', { keyPrefix: 'waitlist' });
  const { available } = site.counts;
  const { mutateAsync } = useWait(site.id);
  const [isOpen, setOpen] = useState(subject);
  const [does, setDoes] = useState(startsAs);
  if (isOpen !== subject) {
    setOpen(subject);
    // Not while it closes: its title still shows.
    if (subject) setDoes(startsAs);
  }
  return (
    <NewGuestDialog
      subject={subject}
      site={site}
      onClose={onClose}
      onAdded={onAdded}
      onWait={() => setDoes('waiting')}
      otherUse={
        does === 'guest'
          ? undefined
          : {
              title: t('add.button'),
              notice: available > 0 ? t('available', { count: available }) : undefined,
              Fields: NewcomerNeeds,
              sendGuest: async (guest, { idempotencyKey, values: { bedType, priorityReason } }) => {
                const body = { guest, bedType, priorityReason: priorityReason.trim() === '' ? null : priorityReason };
                const person = await mutateAsync({ body, idempotencyKey });
                toast.success(t('add.done', { name: `${person.firstName} ${person.lastName}.` }));
              },
              onSent: onClose,
              onNewGuest: () => setDoes('guest'),
            }
      }
    />
  );
}
