import { zodResolver } from '@/lib/zod-resolver';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { newIdempotencyKey, type Schemas } from '@/api/client';
import { NetworkError } from '@/api/errors';
import { useCreateSite } from './api/save-site';
import { siteDraft } from './site-draft';
import { emptySite, type SiteFormValues, siteFormSchema } from './site-form.schema';
import { toNewSite } from './site-payload.utils';
import { FIELDS_OF, firstStepOf, isReachable, type Step, stepsOf } from './steps.utils';
import { useServerErrors } from './use-server-errors';

/** Where the focus goes after the next render: to the heading of the step, or to its first wrong field. */
type FocusWish = { to: 'heading' | 'fault' };

/** Runs the wizard: one form over all steps, a draft of it, one key for its sends, refusals at their fields. */
export function useSiteWizard(organization: Schemas['Organization']) {
  const { t } = useTranslation('site-form');
  const user = useUser();
  const { id: organizationId, isCommercial } = organization;
  const kind = useMemo(() => ({ isCommercial, isNew: true }), [isCommercial]);
  const steps = stepsOf(isCommercial);
  const draft = useMemo(() => siteDraft(user.id, organizationId), [user.id, organizationId]);
  const [stored] = useState(() => draft.read());
  const [isRestored, setRestored] = useState(stored !== undefined);
  const [idempotencyKey, setIdempotencyKey] = useState(() => stored?.idempotencyKey ?? newIdempotencyKey());
  const [step, setStep] = useState<Step>(stored && steps.includes(stored.step) ? stored.step : 'about');
  const [passed, setPassed] = useState<ReadonlySet<Step>>(() => new Set(stored?.passed));
  const [focusWish, setFocusWish] = useState<FocusWish>();
  const [created, setCreated] = useState<Schemas['SiteDetails']>();
  const isSending = useRef(false);
  const empty = () => emptySite(kind, t('houses.houseName', { number: 1 }));
  const form = useForm<SiteFormValues>({
    defaultValues: stored?.values ?? empty(),
    mode: 'onTouched',
    shouldFocusError: false,
    resolver: useMemo(() => zodResolver(siteFormSchema(kind)), [kind]),
  });
  const { refusal, setRefusal, show } = useServerErrors(form.setError);
  const { mutateAsync, isPending } = useCreateSite(isCommercial);
  const isUnsaved = (form.formState.isDirty || isRestored) && created === undefined;

  // Every change is kept at once: a reload does not wait.
  const { subscribe } = form;
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const keep = (values: SiteFormValues) => draft.write({ values, step, passed: [...passed], idempotencyKey });
    keep(form.getValues());
    return subscribe({ formState: { values: true }, callback: ({ values }) => keep(values) });
  }, [draft, form, subscribe, step, passed, idempotencyKey, isUnsaved]);

  const open = (target: Step, to: FocusWish['to']) => {
    setStep(target);
    setFocusWish({ to });
  };
  const mark = (judged: Step, isRight: boolean) =>
    setPassed((known) => new Set([...known].filter((one) => one !== judged).concat(isRight ? judged : [])));

  /** Judges the fields of the present step; wrong ones take the focus. */
  const passStep = async (): Promise<boolean> => {
    const isRight = await form.trigger([...FIELDS_OF[step]]);
    mark(step, isRight);
    if (!isRight) setFocusWish({ to: 'fault' });
    return isRight;
  };
  const showFaults = (fields: readonly string[]) => {
    const first = firstStepOf(steps, fields);
    if (!first) return;
    setPassed(
      (known) =>
        new Set(
          [...known].filter((one) => !fields.some((field) => FIELDS_OF[one].includes(field.split('.')[0] as never))),
        ),
    );
    open(first, 'fault');
  };

  /** Sends the whole form; resolves with the names of the fields that are wrong. */
  const send = async (): Promise<readonly string[]> => {
    let faults: readonly string[] = [];
    await form.handleSubmit(
      async (values) => {
        setRefusal(undefined);
        try {
          const body = toNewSite(values, kind, organizationId, `${location.origin}/login/callback`);
          const site = await mutateAsync({ body, idempotencyKey });
          draft.remove();
          setCreated(site);
        } catch (error) {
          if (error instanceof NetworkError) setRefusal(t('wizard.unknownOutcome'));
          else faults = show(error);
        }
      },
      (errors) => {
        faults = Object.keys(errors);
      },
    )();
    return faults;
  };

  return {
    form,
    kind,
    steps,
    step,
    passed,
    focusWish,
    refusal,
    isRestored,
    isUnsaved,
    isBusy: isPending,
    /** The new site, once the server has it. */
    created,
    isLast: step === steps.at(-1),
    canOpen: (target: Step) => isReachable(steps, passed, step, target),
    goTo: async (target: Step) => {
      const isForward = steps.indexOf(target) > steps.indexOf(step);
      if (!isForward || (await passStep())) open(target, 'heading');
    },
    previous: () => open(steps[steps.indexOf(step) - 1] ?? step, 'heading'),
    /** Next on every step but the last, where it sends. What is under way is not begun again. */
    submit: async () => {
      if (isSending.current || created) return;
      isSending.current = true;
      try {
        const next = steps[steps.indexOf(step) + 1];
        if (next === undefined) showFaults(await send());
        else if (await passStep()) open(next, 'heading');
      } finally {
        isSending.current = false;
      }
    },
    discard: () => draft.remove(),
    startOver: () => {
      draft.remove();
      form.reset(empty());
      setRestored(false);
      setPassed(new Set());
      setRefusal(undefined);
      setIdempotencyKey(newIdempotencyKey());
      open('about', 'heading');
    },
  };
}

/** What the useSiteWizard hook gives to the view. */
export type SiteWizardModel = ReturnType<typeof useSiteWizard>;
