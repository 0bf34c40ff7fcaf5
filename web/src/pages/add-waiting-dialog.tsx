import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { toast } from '@/components/toast';
import { NewGuestDialog } from '@/features/reservations/components/new-guest-dialog';
import { useWait } from '@/features/waitlist/api/waitlist-commands';
import { NewcomerNeeds } from './waiting-needs';

interface AddWaitingDialogProps {
  subject: boolean;
  site: Schemas['SiteDetails'];
  onClose: () => void;
}

/** The form for a new guest, which puts the person on the waitlist, or adds the guest if a bed turns out to be free. */
export function AddWaitingDialog({ subject, site, onClose }: AddWaitingDialogProps) {
  const { t } = useTranslation('reservations', { keyPrefix: 'waitlist' });
  const { mutateAsync } = useWait(site.id);
  const navigate = useNavigate();
  const { available } = site.counts;
  const [isOpen, setOpen] = useState(subject);
  const [isNewGuest, setNewGuest] = useState(false);
  if (isOpen !== subject) {
    setOpen(subject);
    // Not while it closes: its title still shows.
    if (subject) setNewGuest(false);
  }
  return (
    <NewGuestDialog
      subject={subject}
      site={site}
      onClose={onClose}
      onAdded={({ id: guestId }, leadsTo) => {
        if (leadsTo === 'list') onClose();
        else void navigate({ to: '/reservations-request/$guestId', params: { guestId }, replace: true });
      }}
      onWait={isNewGuest ? () => setNewGuest(false) : undefined}
      otherUse={
        isNewGuest
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
              onNewGuest: () => setNewGuest(true),
            }
      }
    />
  );
}
