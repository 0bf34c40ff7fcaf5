import { useEffect, useReducer, useState } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { type IsSame, mergeChanges, withPartners } from './changed-fields';

/** A field that someone else changed while the user was editing the record. */
export interface Conflict {
  name: string;
  theirs: unknown;
  mine: unknown;
  /** True if the user changed the field too; otherwise the field shows the saved value already. */
  isMine: boolean;
  /** Parts of the list that someone else removed. */
  removed: readonly unknown[];
}

/** The record that a form shows, as far as it is in the form. */
interface RecordBehind<Values> {
  values: Values;
  /** Undefined for a new record. */
  version?: number | undefined;
  isSame?: IsSame<Values> | undefined;
  /** Fields that belong together: if one was changed here, all of them keep the values of the form. */
  together?: readonly (keyof Values)[] | undefined;
  /** Fields with lists of parts that cannot come back: what someone else removed leaves the form too. */
  lists?: readonly (keyof Values)[] | undefined;
}

/**
 * Follows the record behind a form. A newer record replaces the old one silently while the user has changed nothing, or
 * if none of the form's fields differ; otherwise the user chooses. Fields that the user has not changed show the newer
 * values at once, also while the user chooses.
 */
export function useRecord<Values extends FieldValues>(
  { values, version, isSame, together = [], lists = [] }: RecordBehind<Values>,
  form: UseFormReturn<Values>,
  mayFollow: boolean,
) {
  /** `seen`: the newest record of which the unchanged fields show the values. */
  const [base, setBase] = useState({ values, version, seen: values });
  const { subscribe } = form;
  const { isDirty } = form.formState;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const isBehind = mayFollow && version !== base.version;
  const mergeNow = () => mergeChanges(base.values, form.getValues(), values, { isSame, together, seen: base.seen });
  const merge = isBehind ? mergeNow() : null;
  const canFollow = merge !== null && (!isDirty || merge.changedThere.length === 0);

  const removedThere = (name: keyof Values): readonly unknown[] =>
    lists.includes(name) ? without(base.values[name], values[name]) : [];

  const rebase = (takesTheirs = false) => {
    const { changedHere, changedThere } = mergeNow();
    const typed = { ...form.getValues() };
    const dropped = takesTheirs ? withPartners(changedThere, together) : [];
    setBase({ values, version, seen: values });
    form.reset(values);
    for (const name of changedHere) {
      if (!dropped.includes(name)) form.setValue(name as Path<Values>, typed[name], { shouldDirty: true });
    }
  };
  // What is typed while the user chooses is a part of the choice.
  useEffect(
    () => (isBehind ? subscribe({ formState: { values: true }, callback: redraw }) : undefined),
    [isBehind, subscribe],
  );
  useEffect(() => {
    if (canFollow) rebase();
    else if (merge) {
      for (const name of Object.keys(values)) {
        const removed = removedThere(name);
        if (!merge.changedHere.includes(name)) form.setValue(name as Path<Values>, values[name]);
        else if (removed.length > 0) {
          const left = without(form.getValues(name as Path<Values>), removed) as Values[string];
          form.setValue(name as Path<Values>, left, { shouldDirty: true });
        }
      }
      setBase({ ...base, seen: values });
    }
    // Once per new version of the record.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [canFollow, isBehind, version]);

  const conflicts =
    !merge || canFollow
      ? []
      : merge.changedThere.map((name): Conflict => ({
          name: name as string,
          theirs: values[name],
          mine: form.getValues(name as Path<Values>),
          isMine: merge.changedHere.includes(name),
          removed: removedThere(name),
        }));
  return { conflicts, rebase };
}

/** Returns the parts of a list that another list does not have. */
function without(list: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  return list.filter((part) => !others.includes(part));
}
