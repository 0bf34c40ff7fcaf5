import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { ConflictError } from '@/api/errors';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useIsShown } from '@/components/use-is-shown';
import { guestCommands } from '@/features/guests/api/guest-commands';
import { fullName, placeOf } from '@/features/guests/ui/guest-facts.utils';
import { aboutWaiting, useTakeOffer } from '../api/waitlist-commands';

type Person = Schemas['WaitingGuest'];

/** A person for whom the bed would be a third active reservation, and the server's sentence about it. */
interface Third {
  person: Person;
  sentence: string;
}

/**
 * Gives offered beds to people on the waitlist, and tells the outcome when it is known, also when the screen is gone by then.
 * Who may allow a third reservation is asked about it.
 */
export function useTakeBed(site: Schemas['SiteDetails']) {
  const { t } = useTranslation(['reservations', 'guests']);
  const errorText = useErrorText();
  const isShown = useIsShown();
  const mayAllowThird = useCan('guest.allowThird', { site });
  const { mutateAsync } = useTakeOffer(site.id);
  const [third, setThird] = useState<Third | null>(null);

  const take = async (person: Person, allowThird = false) => {
    const about = aboutWaiting(person.id);
    // The second half of a double press comes before the screen knows of the first.
    if (guestCommands.isOpen(about)) return;
    try {
      const guest = await mutateAsync({ person, allowThird });
      const { roomName, bedName } = person.offer ?? { roomName: '', bedName: '' };
      const place = t('guests:place', placeOf(guest) ?? { room: roomName, bed: bedName });
      toast.success(t('waitlist.taken', { name: fullName(guest), place, code: guest.code }), { about });
    } catch (error) {
      const isThird = error instanceof ConflictError && error.code === 'third-reservation';
      if (isThird && mayAllowThird && !allowThird && isShown()) setThird({ person, sentence: error.message });
      else toast.error(t('waitlist.notTaken', { name: fullName(person), reason: errorText(error) }), { about });
    }
  };

  return {
    take: (person: Person) => void take(person),
    /** The question whether a third reservation is meant. */
    third,
    allowThird: () => {
      setThird(null);
      if (third) void take(third.person, true);
    },
    dismissThird: () => setThird(null),
  };
}
