import { zodResolver } from '@/lib/zod-resolver';
import { useNavigate } from '@tanstack/react-router';
import { type BaseSyntheticEvent, useEffect, useMemo, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import { newIdempotencyKey, type Schemas } from '@/api/client';
import { ConflictError } from '@/api/errors';
import { applyFieldErrors } from '@/api/field-errors';
import { fullName } from '@/features/guests/ui/guest-facts.utils';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useRecord } from '@/components/form/use-record';
import { useIsShown } from '@/components/use-is-shown';
import { useAddGuest } from '@/features/guests/api/add-guest';
import { useOpenCommands } from '@/features/guests/api/open-commands';
import { notServed, paymentMethods } from './offer.utils';
import { useGuestPlace } from './use-guest-place';
import {
  EMPTY_GUEST,
  type FormRules,
  NEW_GUEST_FIELDS,
  newGuestSchema,
  type NewGuestValues,
  toNewGuest,
} from './new-guest.schema';

/** Where the form leads once the guest is added: to the reservations, or to the beds for this guest. */
export type AfterAdding = 'list' | 'beds';

/** What is sent with a guest. */
export interface SentWith {
  /** The same key again must have no second effect. */
  idempotencyKey: string;
  /** All that the form holds. */
  values: NewGuestValues;
  /** The version of the record that the user has seen. */
  version: number | undefined;
}

/** Another use of the form: where the guest is sent instead of being added. */
export type SendGuest = (guest: Schemas['NewGuest'], sentWith: SentWith) => Promise<unknown>;

/** What the form is filled in with. A newer version of it is merged with what was typed. */
export interface GuestRecord {
  id: string;
  values: NewGuestValues;
  version: number;
}

interface NewGuestOptions {
  site: Schemas['SiteDetails'];
  services: Schemas['ServiceGroups'];
  sendGuest?: SendGuest | undefined;
  record?: GuestRecord | undefined;
  /** Says that the guest was not sent where `sendGuest` sends it, once the form is gone. */
  notSent?: ((reason: string) => string) | undefined;
}

/** Runs the form for a new guest: rules, one key for its sends, what the server refuses, the third reservation. */
export function useNewGuest({ site, services, sendGuest, record, notSent }: NewGuestOptions) {
  const { t } = useTranslation(['reservations', 'common']);
  const errorText = useErrorText();
  const isShown = useIsShown();
  const mayAllowThird = useCan('guest.allowThird', { site });
  const mayAccept = useCan('guest.accept', { site });
  const navigate = useNavigate();
  const mayGoOver = useCan('guest.addOverCapacity', { site });
  const isWalkIn = useGuestPlace(site) === 'walk-in';
  /** The server has refused the guest for want of a vacant bed, though the counts on the screen showed one. */
  const [wasFull, setWasFull] = useState(false);
  const mayBeWalkIn = !sendGuest && mayGoOver && site.counts.vacant > site.counts.offered;
  const asksReason = (isWalkIn && !sendGuest) || (wasFull && mayBeWalkIn);
  const rules = useMemo(() => formRules(site, services, asksReason), [site, services, asksReason]);
  const form = useForm({
    // Only the first values count; `useRecord` follows the record from there.
    defaultValues: record?.values ?? EMPTY_GUEST,
    mode: 'onTouched',
    resolver: useMemo(() => zodResolver(newGuestSchema(rules)), [rules]),
  });
  const { isDirty } = form.formState;
  const [idempotencyKey] = useState(newIdempotencyKey);
  const [refusal, setRefusal] = useState<string | null>(null);
  /** The type of bed for which the person was to wait, though one is free; or to get one, though none is. */
  const [otherCase, setOtherCase] = useState<NewGuestValues['bedType']>();
  const bedType = useWatch({ control: form.control, name: 'bedType' });
  // It was about another type of bed.
  const isOutdated = otherCase !== undefined && otherCase !== bedType;
  /** The server's sentence about a third active reservation, while the user decides. */
  const [third, setThird] = useState<string | null>(null);
  const [added, setAdded] = useState<Schemas['Guest'] | null>(null);
  const [isSending, setSending] = useState(false);
  const [isDone, setDone] = useState(false);
  const [invalidCount, setInvalidCount] = useState(0);
  /** What the pressed button leads to; kept for the question about a third reservation. */
  const [leadsTo, setLeadsTo] = useState<AfterAdding>('list');
  const { mutateAsync, isPending } = useAddGuest(site.id);
  const waiting = useOpenCommands().find(({ key }) => key === idempotencyKey)?.state;
  const [uploading, setUploading] = useState({ insuranceCardFront: false, insuranceCardBack: false });

  const followed = useRecord(
    { values: record?.values ?? EMPTY_GUEST, version: record?.version },
    form,
    !isSending && !isDone,
  );

  const { setFocus } = form;
  useEffect(() => {
    if (wasFull && asksReason) setFocus('overCapacityReason');
  }, [wasFull, asksReason, setFocus]);

  const isUnsaved = isDirty && added === null && !isDone;
  const isBusy = isPending || isSending;
  const tellNotSent = (reason: string) => toast.error(notSent?.(reason) ?? t('form.notAdded', { reason }));

  const dismissRefusal = () => {
    setRefusal(null);
    setOtherCase(undefined);
  };

  const send = async (allowThird: boolean, next: AfterAdding) => {
    const typed = toNewGuest(form.getValues(), site, rules, services.age);
    const body = allowThird ? { ...typed, allowThird } : typed;
    dismissRefusal();
    try {
      if (sendGuest) {
        setSending(true);
        await sendGuest(body, { idempotencyKey, values: form.getValues(), version: record?.version });
        setDone(true);
        return;
      }
      const guest = await mutateAsync({ body, idempotencyKey });
      const chooseBed = () => navigate({ to: '/reservations-request/$guestId', params: { guestId: guest.id } });
      toast.success(t('form.added', { code: guest.code, guest: fullName(guest) }), {
        about: `guest:${guest.id}`,
        // Whoever is led to the beds at once needs no button for it.
        ...(mayAccept && !(next === 'beds' && isShown())
          ? { action: { label: t('form.chooseBed'), onAction: () => void chooseBed() } }
          : {}),
      });
      setAdded(guest);
    } catch (error) {
      // The form was left before the outcome was known: only a message tells it.
      if (!isShown()) {
        tellNotSent(errorText(error));
      } else if (error instanceof ConflictError && error.code === 'third-reservation' && mayAllowThird && !allowThird) {
        setThird(error.message);
      } else if (record && error instanceof ConflictError && error.status === 412) {
        setRefusal(t('common:form.changedMeanwhile'));
      } else {
        const code = error instanceof ConflictError ? error.code : undefined;
        if (code === 'no-vacant-beds') setWasFull(true);
        // The form asks for the reason now. That no bed is vacant would not be true.
        if (code === 'no-vacant-beds' && mayBeWalkIn && !asksReason) return;
        if (code === (sendGuest ? 'bed-available' : 'no-vacant-beds')) setOtherCase(form.getValues('bedType'));
        setRefusal(applyFieldErrors(form.setError, error, NEW_GUEST_FIELDS, nameInForm) ?? null);
      }
    } finally {
      setSending(false);
    }
  };

  const noteInvalid = () => setInvalidCount((count) => count + 1);
  const submitFor = (next: AfterAdding) => {
    const submit = form.handleSubmit(() => {
      if (isBusy || added !== null || isDone || followed.conflicts.length > 0) return undefined;
      setLeadsTo(next);
      return send(false, next);
    }, noteInvalid);
    return async (event?: BaseSyntheticEvent) => {
      if (!record || isDirty || isSending || isDone) return submit(event);
      // Nothing differs from the record: close without sending.
      event?.preventDefault();
      setDone(true);
    };
  };

  return {
    form,
    rules,
    /** Whether the guest goes over held capacity: a reason is asked for. */
    asksReason,
    refusal: isOutdated ? null : refusal,
    /** The refusal says that the form for the other case would do. */
    isOtherCase: otherCase !== undefined && !isOutdated,
    dismissRefusal,
    /** Fields that someone else changed; not empty until the user has chosen a version. */
    conflicts: followed.conflicts,
    // Asked again unless it is saved: until then the form is based on the older record.
    saveMine: form.handleSubmit(() => send(false, 'list'), noteInvalid),
    takeTheirs: () => {
      followed.rebase(true);
      setRefusal(null);
    },
    third,
    /** The guest, once the server has added it. */
    added,
    /** The form can close: `sendGuest` has succeeded, or nothing differed from the record. */
    isDone,
    isBusy,
    /** How far the sending has got while its outcome is not known. */
    waiting,
    /** The outcome may take long: the form may be left, and a message tells it then. */
    isWaiting: waiting === 'unsent' || waiting === 'unknown',
    /** Whether a side of the insurance card is still on its way: saving waits for it. */
    isUploading: uploading.insuranceCardFront || uploading.insuranceCardBack,
    setUploading: (side: string, isOnItsWay: boolean) => setUploading((now) => ({ ...now, [side]: isOnItsWay })),
    isUnsaved,
    invalidCount,
    submit: submitFor('list'),
    mayChooseBed: mayAccept && !sendGuest,
    /** Adds the guest, who is to get a bed at once. */
    submitAndChoose: submitFor('beds'),
    leadsTo,
    sendAnyway: () => {
      setThird(null);
      void send(true, leadsTo);
    },
    dismissThird: () => setThird(null),
  };
}

/** What the useNewGuest hook gives to the fields. */
export type NewGuestModel = ReturnType<typeof useNewGuest>;

/** Returns the field of the form that the server's field is; in the body of the waitlist the guest is a part of its own. */
function nameInForm(field: string): (typeof NEW_GUEST_FIELDS)[number] | undefined {
  const name = field.replace(/^guest\./, '');
  return name === 'ageGroup' ? 'ageServiceId' : NEW_GUEST_FIELDS.find((known) => known === name);
}

function formRules(site: Schemas['SiteDetails'], services: Schemas['ServiceGroups'], asksReason: boolean): FormRules {
  const methods = paymentMethods(site).filter(({ category }) => category === 'Insurance');
  return {
    asksReason,
    servesAll: (values) => notServed(site, services, values).length === 0,
    isCommercial: site.isCommercial,
    generalServiceIds: new Set(services.general.map(({ id }) => id)),
    insuranceMethodIds: new Set(methods.map(({ id }) => String(id))),
  };
}
