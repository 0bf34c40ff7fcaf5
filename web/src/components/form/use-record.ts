import { useEffect, useRef, useState } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { type IsSame, mergeChanges } from './changed-fields';

/** A field that someone else changed while the user was editing the record. */
export interface Conflict {
  name: string;
  theirs: unknown;
  mine: unknown;
  /** True if the user changed the field too; otherwise their value is taken over. */
  isMine: boolean;
}

/** The record behind a form. */
interface RecordOptions<Values extends FieldValues> {
  /** Current values of the record, or those of an empty form. */
  values: Values;
  /** Current version of the record; undefined for a new record. */
  version?: number | undefined;
  /** Compares two values of a field; by default their JSON. */
  isSame?: IsSame<Values> | undefined;
  /** Fields that belong together: if one was changed here, all of them keep the values of this form. */
  together?: readonly (keyof Values)[] | undefined;
}

/**
 * Follows the record behind a form. A newer record replaces the old one silently while the user has changed nothing, or
 * if none of the form's fields differ; otherwise the user chooses.
 */
export function useRecord<Values extends FieldValues>(
  { values, version, isSame, together }: RecordOptions<Values>,
  form: UseFormReturn<Values>,
  mayFollow: boolean,
) {
  const [base, setBase] = useState({ values, version });
  const versionToSend = useRef(version);
  const { isDirty } = form.formState;
  const isBehind = mayFollow && version !== base.version;
  const merge = isBehind ? mergeChanges(base.values, form.getValues(), values, { isSame, together }) : null;
  const canFollow = merge !== null && (!isDirty || merge.changedThere.length === 0);

  const rebase = (typed: 'keep' | 'drop') => {
    const { merged, changedHere } = mergeChanges(base.values, form.getValues(), values, { isSame, together });
    versionToSend.current = version;
    setBase({ values, version });
    form.reset(values);
    if (typed === 'drop') return;
    for (const name of changedHere) form.setValue(name as Path<Values>, merged[name], { shouldDirty: true });
  };
  useEffect(() => {
    if (canFollow) rebase('keep');
    // Once per new version of the record.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [canFollow, version]);

  const conflicts = (canFollow ? [] : (merge?.changedThere ?? [])).map((name): Conflict => ({
    name: String(name),
    theirs: values[name],
    mine: form.getValues(name as Path<Values>),
    isMine: merge?.changedHere.includes(name) ?? false,
  }));
  return { conflicts, rebase, version: () => versionToSend.current };
}
