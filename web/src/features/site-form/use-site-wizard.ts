import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { useSaveForm } from '@/components/form/use-save-form';
import { useCreateSite } from './api/save-site';
import { placeOfField } from './field-places.utils';
import { siteDraft } from './site-draft';
import { emptySite, type SiteFormValues, siteFormSchema } from './site-form.schema';
import { toNewSite } from './site-payload.utils';
import { FIELDS_OF, isReachable, type Step, stepOfField, stepsOf } from './steps.utils';
import { useSiteLabels } from './use-site-labels';

/** Runs the wizard: one form over all steps, and a draft of it. `onCreated` leads to the new site. */
export function useSiteWizard(
  organization: Schemas['Organization'],
  onCreated: (site: Schemas['SiteDetails']) => void,
) {
  const { t } = useTranslation('site-form');
  const { id: signedIn } = useUser();
  const { id: organizationId, isCommercial } = organization;
  const kind = useMemo(() => ({ isCommercial, isNew: true }), [isCommercial]);
  const steps = stepsOf(isCommercial);
  // Of the person who types, also if somebody else signs in while the form is still on the screen.
  const [userId] = useState(signedIn);
  const draft = useMemo(() => siteDraft(userId, organizationId), [userId, organizationId]);
  const [stored] = useState(() => draft.read());
  const [isRestored, setRestored] = useState(stored !== undefined);
  const [step, setStep] = useState<Step>(stored && steps.includes(stored.step) ? stored.step : 'about');
  const [passed, setPassed] = useState<ReadonlySet<Step>>(() => new Set(stored?.passed));
  /** Raised when a step is opened: its heading takes the focus. */
  const [opened, setOpened] = useState(0);
  const empty = () => emptySite(kind, t('houses.houseName', { number: 1 }));
  const [first] = useState(() => stored?.values ?? empty());
  const { mutateAsync } = useCreateSite(isCommercial);
  const mark = (judged: readonly (Step | undefined)[], isRight: boolean) =>
    setPassed((known) => {
      const others = [...known].filter((one) => !judged.includes(one));
      return new Set(isRight ? others.concat(judged.filter((one) => one !== undefined)) : others);
    });

  const form = useSaveForm<SiteFormValues, Schemas['SiteDetails']>({
    schema: useMemo(() => siteFormSchema(kind), [kind]),
    labels: useSiteLabels(),
    values: first,
    save: (values, context) =>
      mutateAsync({ body: toNewSite(values, kind, organizationId, `${location.origin}/login/callback`), context }),
    done: ({ name }, { adminEmail }) => t('wizard.created', { site: name, email: adminEmail }),
    onDone: (site) => {
      draft.remove();
      onCreated(site);
    },
    names: placeOfField,
    // Open the step of the first invalid field.
    onInvalid: (names) => {
      const wrong = names.map(stepOfField);
      mark(wrong, false);
      setStep((here) => steps.find((one) => wrong.includes(one)) ?? here);
    },
    isUnsaved: isRestored,
    initialKey: stored?.idempotencyKey,
    leave: { text: t('wizard.leave'), onLeave: () => draft.remove() },
  });
  const { isChanged, isFinished, intentKey: idempotencyKey, subscribe, getValues } = form;
  const isUnsaved = (isChanged || isRestored) && !isFinished;

  // Every change is kept at once: a reload does not wait.
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const keep = (values: SiteFormValues) => draft.write({ values, step, passed: [...passed], idempotencyKey });
    keep(getValues());
    return subscribe({ formState: { values: true }, callback: ({ values }) => keep(values) });
  }, [draft, getValues, subscribe, step, passed, idempotencyKey, isUnsaved]);

  const open = (target: Step) => {
    setStep(target);
    setOpened((count) => count + 1);
  };
  /** Judges the fields of the present step; wrong ones take the focus. */
  const passStep = async (): Promise<boolean> => {
    const isRight = await form.trigger([...FIELDS_OF[step]]);
    mark([step], isRight);
    if (!isRight) form.focusInvalid();
    return isRight;
  };

  return {
    form,
    kind,
    steps,
    step,
    passed,
    opened,
    isRestored,
    isLast: step === steps.at(-1),
    canOpen: (target: Step) => isReachable(steps, passed, step, target),
    goTo: async (target: Step) => {
      const isForward = steps.indexOf(target) > steps.indexOf(step);
      if (!isForward || (await passStep())) open(target);
    },
    next: async () => {
      const target = steps[steps.indexOf(step) + 1];
      if (target && (await passStep())) open(target);
    },
    previous: () => open(steps[steps.indexOf(step) - 1] ?? step),
    startOver: () => {
      form.startOver(empty());
      draft.remove();
      setRestored(false);
      setPassed(new Set());
      open('about');
    },
  };
}

/** What the useSiteWizard hook gives to the view. */
export type SiteWizardModel = ReturnType<typeof useSiteWizard>;
