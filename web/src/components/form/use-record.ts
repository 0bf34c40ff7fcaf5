import { useEffect, useRef, useState } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { type IsSame, isSameJson, mergeChanges } from './changed-fields';

/** A field that someone else changed while the user was editing the record. */
export interface Conflict {
  name: string;
  theirs: unknown;
  mine: unknown;
  /** True if the user changed the field too; otherwise the field shows the saved value already. */
  isMine: boolean;
}

/** The record that a form shows, as far as it is in the form. */
interface RecordBehind<Values> {
  values: Values;
  /** Undefined for a new record. */
  version?: number | undefined;
  isSame?: IsSame<Values> | undefined;
  /** Fields that belong together: if one was changed here, all of them keep the values of the form. */
  together?: readonly (keyof Values)[] | undefined;
}

/**
 * Follows the record behind a form. A newer record replaces the old one silently while the user has changed nothing, or
 * if none of the form's fields differ; otherwise the user chooses. Fields that the user has not changed show the newer
 * values at once, also while the user chooses.
 */
export function useRecord<Values extends FieldValues>(
  { values, version, isSame, together = [] }: RecordBehind<Values>,
  form: UseFormReturn<Values>,
  mayFollow: boolean,
) {
  const [base, setBase] = useState({ values, version });
  const [shown, setShown] = useState<Partial<Values>>({});
  const versionToSend = useRef(version);
  const { isDirty } = form.formState;
  const isBehind = mayFollow && version !== base.version;
  const mergeNow = () =>
    mergeChanges(base.values, withoutShown(form.getValues(), shown, base.values), values, { isSame, together });
  const merge = isBehind ? mergeNow() : null;
  const canFollow = merge !== null && (!isDirty || merge.changedThere.length === 0);
  const isMine = (name: keyof Values) => merge?.changedHere.includes(name) ?? false;

  const rebase = (typed: 'keep' | 'drop') => {
    const { merged, changedHere, changedThere } = mergeNow();
    const dropped = typed === 'drop' ? changedThere.filter((name) => changedHere.includes(name)) : [];
    const isOneOfThem = dropped.some((name) => together.includes(name));
    const kept = changedHere.filter((name) => !dropped.includes(name) && !(isOneOfThem && together.includes(name)));
    versionToSend.current = version;
    setBase({ values, version });
    setShown({});
    form.reset(values);
    for (const name of kept) form.setValue(name as Path<Values>, merged[name], { shouldDirty: true });
  };
  const showTheirs = (names: readonly (keyof Values)[]) => {
    for (const name of names) form.setValue(name as Path<Values>, values[name]);
    setShown(Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Values>);
  };
  useEffect(() => {
    if (canFollow) rebase('keep');
    else if (merge) {
      const names = new Set([...Object.keys(shown), ...merge.changedThere]);
      showTheirs([...names].filter((name) => !isMine(name)));
    }
    // Once per new version of the record.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [canFollow, isBehind, version]);

  const conflicts = (canFollow ? [] : (merge?.changedThere ?? [])).map((name): Conflict => ({
    name: String(name),
    theirs: values[name],
    mine: form.getValues(name as Path<Values>),
    isMine: isMine(name),
  }));
  return { conflicts, rebase, version: () => versionToSend.current };
}

/** Returns the values with those of `base` where a field holds what was shown in it, as if nobody had touched it. */
function withoutShown<Values extends FieldValues>(typed: Values, shown: Partial<Values>, base: Values): Values {
  const untouched = Object.keys(shown).filter((name) => isSameJson(typed[name], shown[name]));
  return { ...typed, ...Object.fromEntries(untouched.map((name) => [name, base[name]])) };
}
