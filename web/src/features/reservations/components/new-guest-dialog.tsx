import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { CloudOff, UserX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConflictError, NotFoundError } from '@/api/errors';
import { Dialog } from '@/components/dialog/dialog';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { TableSkeleton } from '@/components/skeletons';
import { servicesQuery } from '@/features/sites/api/services-query';
import { smallerThan } from '@/lib/breakpoints';
import type { AfterAdding } from '../use-new-guest';
import { NewGuestForm, type OtherUse } from './new-guest-form';

interface NewGuestDialogProps {
  subject: boolean;
  site: Schemas['SiteDetails'];
  onClose: () => void;
  otherUse?: OtherUse | undefined;
  /** Turns this into the form of the waitlist, with all that was typed: no bed is free. */
  onWait?: (() => void) | undefined;
  /** What the form is filled in with: the form waits for it. */
  filledIn?: Pick<UseQueryResult, 'data' | 'error' | 'refetch'>;
  /** Shown instead of the form if the record that it edits does not exist any more. */
  gone?: { title: string; hint: string };
  /** The guest was added; the user wants the list, or the beds for this guest. */
  onAdded: (guest: Schemas['Guest'], leadsTo: AfterAdding) => void;
}

/**
 * The form for a guest added by hand. It is open because the address says so: closing it is a navigation, and the guard
 * asks before anything typed is lost.
 */
export function NewGuestDialog({ subject, ...props }: NewGuestDialogProps) {
  const { t } = useTranslation('reservations');
  const isNarrow = useMediaQuery(smallerThan('narrow'), undefined, { getInitialValueInEffect: false });
  return (
    <Dialog
      inAddress
      subject={subject}
      width={800}
      title={props.otherUse?.title ?? t('form.title')}
      fullScreen={isNarrow}
      onClose={props.onClose}
    >
      <LoadedForm {...props} />
    </Dialog>
  );
}

function LoadedForm({
  site,
  otherUse,
  onWait,
  filledIn,
  gone,
  onClose,
  onAdded,
}: Omit<NewGuestDialogProps, 'subject'>) {
  const { t } = useTranslation(['reservations', 'common']);
  const { data: services, error, refetch } = useQuery(servicesQuery(site.isCommercial));
  if (filledIn?.error && !filledIn.data) {
    // To ask again would bring the same answer.
    if (gone && (filledIn.error instanceof NotFoundError || filledIn.error instanceof ConflictError)) {
      return <Gone {...gone} onClose={onClose} />;
    }
    return <ErrorState error={filledIn.error} onRetry={() => void filledIn.refetch()} />;
  }
  if (services && (!filledIn || filledIn.data)) {
    return (
      <NewGuestForm
        key={otherUse?.record?.id}
        site={site}
        services={services}
        otherUse={otherUse}
        onWait={onWait}
        onAdded={onAdded}
      />
    );
  }
  if (!error) return <TableSkeleton rows={6} />;
  return (
    <div role="alert">
      <EmptyState
        icon={<CloudOff size={32} strokeWidth={1.5} />}
        title={t('form.servicesFailed')}
        action={
          <Button variant="default" onClick={() => void refetch()}>
            {t('common:action.retry')}
          </Button>
        }
      />
    </div>
  );
}

function Gone({ onClose, ...words }: { title: string; hint: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <div role="alert">
      <EmptyState
        icon={<UserX size={32} strokeWidth={1.5} />}
        {...words}
        action={
          <Button variant="default" onClick={onClose}>
            {t('action.close')}
          </Button>
        }
      />
    </div>
  );
}
