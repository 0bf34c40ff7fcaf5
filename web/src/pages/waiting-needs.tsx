import { type UseFormReturn, useWatch } from 'react-hook-form';
import type { NewGuestValues } from '@/features/reservations/new-guest.schema';
import { NeedFields } from '@/features/waitlist/components/need-fields';

interface NeedsProps {
  form: UseFormReturn<NewGuestValues>;
}

/** The fields of the form for a guest that a person has who is put on the waitlist. */
export function NewcomerNeeds(props: NeedsProps) {
  return <Needs {...props} withPriority />;
}

/** The same for a person who waits already: the priority has a question of its own. */
export function WaitingNeeds(props: NeedsProps) {
  return <Needs {...props} withPriority={false} />;
}

function Needs({ form, withPriority }: NeedsProps & { withPriority: boolean }) {
  const [bedType, priorityReason] = useWatch({ control: form.control, name: ['bedType', 'priorityReason'] });
  return (
    <NeedFields
      need={{ bedType, priorityReason }}
      withPriority={withPriority}
      onChange={(need) => {
        form.setValue('bedType', need.bedType, { shouldDirty: true });
        form.setValue('priorityReason', need.priorityReason, { shouldDirty: true });
      }}
    />
  );
}
