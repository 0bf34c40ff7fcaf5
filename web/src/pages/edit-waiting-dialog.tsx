import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { toast } from '@/components/toast';
import { NewGuestDialog } from '@/features/reservations/components/new-guest-dialog';
import { toValues } from '@/features/reservations/new-guest.schema';
import { aboutWaiting, useEditWaiting } from '@/features/waitlist/api/waitlist-commands';
import { waitingFormQuery, waitlistQuery } from '@/features/waitlist/api/waitlist-query';
import { WaitingNeeds } from './waiting-needs';

interface EditWaitingDialogProps {
  /** The person. */
  subject: string | null;
  site: Schemas['SiteDetails'];
  onClose: () => void;
}

/** The form of a person on the waitlist, filled in. The person keeps the place in the line. */
export function EditWaitingDialog({ subject: id, site, onClose }: EditWaitingDialogProps) {
  const { t } = useTranslation(['reservations', 'common']);
  const { mutateAsync } = useEditWaiting(site.id);
  const { data: list } = useQuery(waitlistQuery(site.id));
  const listed = list?.items.find((person) => person.id === id);
  const [lastListed, setLastListed] = useState<Schemas['WaitingGuest']>();
  if (listed && (listed.id !== lastListed?.id || listed.version !== lastListed.version)) setLastListed(listed);
  // Keep the form open if the person leaves the list meanwhile: nothing typed is lost, and saving reports that they
  // left.
  const version = (listed ?? (lastListed?.id === id ? lastListed : undefined))?.version;
  const loaded = useQuery({ ...waitingFormQuery(id ?? '', version), enabled: id !== null && list !== undefined });
  const { data: form } = loaded;
  const record = useMemo(
    () => (id !== null && form ? { id, values: toValues(form.guest, form.bedType), version: form.version } : undefined),
    [id, form],
  );
  return (
    <NewGuestDialog
      subject={id !== null}
      site={site}
      filledIn={loaded}
      gone={{ title: t('waitlist.edit.gone'), hint: t('waitlist.edit.goneHint') }}
      onClose={onClose}
      onAdded={onClose}
      otherUse={{
        title: t('waitlist.edit.title'),
        submitLabel: t('common:action.save'),
        Fields: WaitingNeeds,
        record,
        sendGuest: async (
          guest,
          { idempotencyKey, values: { bedType, firstName, lastName }, version: baseVersion },
        ) => {
          if (id === null || baseVersion === undefined) return;
          await mutateAsync({ id, body: { guest, bedType, version: baseVersion }, idempotencyKey });
          const name = `${firstName.trim()} ${lastName.trim().toUpperCase()}.`;
          toast.success(t('waitlist.edit.done', { name }), { about: aboutWaiting(id) });
        },
        notSent: (reason) => t('waitlist.edit.notSaved', { reason }),
        leaveWaiting: t('waitlist.edit.leaveWaiting'),
        onSent: onClose,
      }}
    />
  );
}
