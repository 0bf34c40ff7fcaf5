import { zodResolver } from '@/lib/zod-resolver';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { toast } from '@/components/toast';
import { useEditSite } from './api/save-site';
import { mergeEdits } from './merge.utils';
import { type SiteField, type SiteFormValues, siteFormSchema } from './site-form.schema';
import { changedFields, fromSite, toSiteEdit } from './site-payload.utils';
import { useServerErrors } from './use-server-errors';

/**
 * Runs the form of a stored site. It is filled once; when others change the site meanwhile, nothing typed is lost: the
 * form says what changed there and lets the user choose (a 412 is only the late form of the same).
 */
export function useSiteEdit(site: Schemas['SiteDetails']) {
  const { t } = useTranslation('site-form');
  const [base, setBase] = useState(() => ({ values: fromSite(site), version: site.editVersion }));
  const [isSaved, setSaved] = useState(false);
  const [faults, setFaults] = useState(0);
  const isSending = useRef(false);
  const storedAddress = base.values.address;
  const kind = useMemo(
    () => ({ isCommercial: site.isCommercial, isNew: false, storedAddress }),
    [site.isCommercial, storedAddress],
  );
  const form = useForm<SiteFormValues>({
    defaultValues: base.values,
    mode: 'onTouched',
    shouldFocusError: false,
    resolver: useMemo(() => zodResolver(siteFormSchema(kind)), [kind]),
  });
  const { refusal, setRefusal, show } = useServerErrors(form.setError);
  const { mutateAsync, isPending } = useEditSite(site);
  const { isDirty } = form.formState;
  const { reset, getValues, setValue } = form;

  const fresh = useMemo(() => fromSite(site), [site]);
  const changedThere: SiteField[] =
    site.editVersion === base.version || isSaved || isPending ? [] : changedFields(base.values, fresh);
  const isBehind = site.editVersion !== base.version;
  // Nothing typed, or nothing of this form changed: the new record simply takes its place.
  const canFollow = isBehind && !isSaved && !isPending && (!isDirty || changedThere.length === 0);
  if (canFollow) setBase({ values: fresh, version: site.editVersion });
  useEffect(() => {
    if (!isDirty) reset(base.values);
    // When the record is another one; not when the form becomes clean again by hand.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [base, reset]);

  const load = () => {
    reset(fresh);
    setBase({ values: fresh, version: site.editVersion });
    setRefusal(undefined);
    toast.success(t('edit.stale.loaded'));
  };
  const keep = () => {
    const { values, mine } = mergeEdits(base.values, getValues(), fresh);
    reset(fresh);
    for (const field of mine) setValue(field, values[field], { shouldDirty: true });
    setBase({ values: fresh, version: site.editVersion });
    setRefusal(undefined);
    toast.success(t('edit.stale.kept'));
  };

  const send = async () => {
    let isWrong = false;
    await form.handleSubmit(
      async (values) => {
        setRefusal(undefined);
        try {
          await mutateAsync(toSiteEdit(values, { ...site, editVersion: base.version }));
          setSaved(true);
        } catch (error) {
          isWrong = show(error).length > 0;
        }
      },
      () => {
        isWrong = true;
      },
    )();
    if (isWrong) setFaults((count) => count + 1);
  };

  return {
    form,
    kind,
    refusal,
    /** Fields that others changed while something is typed here; empty when there is nothing to decide. */
    changedThere: canFollow ? [] : changedThere,
    load,
    keep,
    /** Raised each time wrong fields were found. */
    faults,
    isBusy: isPending,
    isSaved,
    isUnsaved: isDirty && !isSaved,
    submit: async () => {
      if (isSending.current || isSaved) return;
      isSending.current = true;
      try {
        await send();
      } finally {
        isSending.current = false;
      }
    },
  };
}
