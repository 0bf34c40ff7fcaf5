import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import type { Schemas } from '@/api/client';
import { earlierOfPersonQuery } from '@/features/guests/api/earlier-queries';
import { EarlierReservations } from '@/features/guests/ui/earlier-reservations';
import { isPhone } from '@/lib/phone-plan';
import type { NewGuestModel } from '../use-new-guest';

/** Time in milliseconds without typing after which the person is looked for. */
const PAUSE_MILLISECONDS = 500;

const emailSchema = z.string().check(z.trim(), z.email());

interface EarlierOfPersonProps {
  model: NewGuestModel;
  site: Pick<Schemas['SiteDetails'], 'id' | 'timeZone'>;
}

/** Says that the person was here before, once the phone or the email is complete. */
export function EarlierOfPerson({ model, site }: EarlierOfPersonProps) {
  const [typedPhone, typedEmail] = useWatch({ control: model.form.control, name: ['phone', 'email'] });
  const [phone] = useDebouncedValue(isPhone(typedPhone) ? typedPhone : null, PAUSE_MILLISECONDS);
  const [email] = useDebouncedValue(
    emailSchema.safeParse(typedEmail).success ? typedEmail.trim() : null,
    PAUSE_MILLISECONDS,
  );
  const { data } = useQuery({
    ...earlierOfPersonQuery({ siteId: site.id, phone, email }),
    // The added guest would be found, too.
    enabled: (phone !== null || email !== null) && !model.isBusy && model.added === null,
  });
  // A live region must be on the page before its text changes.
  return <div role="status">{data ? <EarlierReservations items={data.items} timeZone={site.timeZone} /> : null}</div>;
}
