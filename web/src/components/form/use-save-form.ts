import { type BaseSyntheticEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  useForm,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { $ZodType } from 'zod/v4/core';
import { newIdempotencyKey, type SaveContext } from '@/api/client';
import { ApiError, isOutcomeUnknown, NetworkError, UnauthorizedError } from '@/api/errors';
import { type FieldNames, placeFieldErrors } from '@/api/field-errors';
import type { ImagePrefix } from '@/api/upload-image';
import { noteRefused } from '@/lib/session-end';
import { zodResolver } from '@/lib/zod-resolver';
import { toast } from '../toast';
import { useErrorText } from '../use-error-text';
import type { IsSame } from './changed-fields';
import { useFieldText } from './use-field-text';
import { type Conflict, useRecord } from './use-record';
import { type UnsavedGuardOptions, useUnsavedGuard } from './use-unsaved-guard';

export interface SaveFormOptions<Values extends FieldValues, Result> {
  /** Checks the values; its messages are keys from `textKeys`. */
  schema: $ZodType<Values, Values>;
  /** Label of each field. */
  labels: Readonly<Record<keyof Values & string, string>>;
  /** Current values of the record, or those of an empty form. */
  values: Values;
  /** Current version of the record; undefined for a new record. */
  version?: number | undefined;
  /** Sends the values. Resolves to false if the save was stopped and the user has been told why. */
  save: (values: Values, context: SaveContext) => Promise<Result | false>;
  /** Text of the toast after a save. */
  done?: (result: Result, values: Values) => string;
  /** What that toast is about, such as `bed:<id>`: it takes the place of an older one about the same. */
  about?: string;
  onDone: (result: Result, values: Values) => void;
  /** Called instead of a save if nothing differs from the record. Without it, the form is saved all the same. */
  onUnchanged?: (() => void) | undefined;
  /** Maps the server's field names to those of this form, where they differ. */
  names?: FieldNames;
  /** Replaces the default messages for an error; returns undefined to keep them. */
  describeError?: (error: Error) => FormErrors<Values> | undefined;
  /** Formats the values of a conflict; text fields and switches need no entry. */
  format?: { [Name in keyof Values]?: (value: Values[Name]) => string };
  /** Fields with the path of a picture, or of several, and what it is for: in a conflict, the pictures are shown. */
  pictures?: { [Name in keyof Values]?: ImagePrefix };
  /** Compares two values of a field; by default their JSON. */
  isSame?: IsSame<Values>;
  /** Fields that belong together: if one was changed here, all of them keep the values of this form. */
  together?: readonly (keyof Values)[];
  /** Called with the names of the invalid fields, before the first of them gets the focus. */
  onInvalid?: (names: readonly string[]) => void;
  /** True if there is something unsaved besides the changed fields. */
  isUnsaved?: boolean;
  /** Idempotency key of an intent that began earlier, for example in a draft. */
  initialKey?: string | undefined;
  leave?: UnsavedGuardOptions;
}

/** Messages about a failed save. */
export interface FormErrors<Values> {
  /** Shown at the fields. */
  fields?: { [Name in keyof Values]?: string };
  /** Shown under the form. */
  text?: ReactNode;
}

/** What a bound field needs of its form. Forms that save no record give it their fields, too. */
export type FieldForm<Values extends FieldValues> = Pick<SaveForm<Values>, 'control' | 'labels' | 'fieldText'>;

/** What `useSaveForm` returns: everything from react-hook-form, and the state of the save. */
export interface SaveForm<Values extends FieldValues> extends UseFormReturn<Values> {
  labels: Readonly<Record<string, string>>;
  format: Readonly<Record<string, ((value: never) => string) | undefined>>;
  pictures: Readonly<Record<string, ImagePrefix | undefined>>;
  /** Props of an input: label, error and registration. */
  field: <Name extends Path<Values>>(name: Name) => FieldProps<Name>;
  /** Returns the error text of a field. */
  fieldText: (name: string) => string | undefined;
  /** Saves the form. Does nothing while a save is running, after it succeeded, and while there are conflicts. */
  submit: (event?: BaseSyntheticEvent) => Promise<void>;
  isSending: boolean;
  /** Number of times invalid fields were found; when it grows, `FormFrame` focuses the first of them. */
  invalidCount: number;
  /** Moves the focus to the first invalid field. */
  focusInvalid: () => void;
  /** True if anything differs from the saved record, or if the outcome of a save is unknown. */
  isChanged: boolean;
  isFinished: boolean;
  /** Error text under the form. */
  refusal: ReactNode;
  setRefusal: (refusal: ReactNode) => void;
  /** Fields that someone else changed; not empty until the user has chosen a version. */
  conflicts: readonly Conflict[];
  /** Saves the fields that the user changed over the newer record; the other fields keep their newer values. */
  saveMine: () => Promise<void>;
  /** Replaces what the user typed in the fields of the conflict by the saved values. What was typed elsewhere stays. */
  takeTheirs: () => void;
  /** Called by a field while it uploads a file: saving is off until the upload ends. */
  setUploading: (name: string, isUploading: boolean) => void;
  isUploading: boolean;
  /** Idempotency key of the current intent. */
  intentKey: string;
  /** Resets the form to these values and starts a new intent, with the focus in this field. */
  startOver: (values: Values, focused?: Path<Values>) => void;
  /** Lets the user leave without being asked. */
  release: () => void;
  /** Dialog that asks before unsaved changes are lost by leaving the page. */
  leaveQuestion: ReactNode;
}

interface FieldProps<Name extends string> extends UseFormRegisterReturn<Name> {
  label: string;
  error: string | undefined;
  autoComplete: string;
}

/**
 * Runs a form that is saved to the server: validates it, sends it once at a time with one idempotency key per intent,
 * puts the server's errors at their fields, lets the user choose when someone else changed the same record, and asks
 * before unsaved changes are lost. Render it with `FormFrame`.
 */
export function useSaveForm<Values extends FieldValues, Result>(
  given: SaveFormOptions<Values, Result>,
): SaveForm<Values> {
  const options = { ...given, values: fieldsOf(given) };
  const { schema, labels, onDone, done, about } = options;
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [refusal, setRefusal] = useState<ReactNode>();
  const [isOutcomeOpen, setOutcomeOpen] = useState(false);
  const [uploading, setUploading] = useState<readonly string[]>([]);
  const [isFinished, setFinished] = useState(false);
  const [invalidCount, setInvalidCount] = useState(0);
  const [focused, setFocused] = useState<{ name: Path<Values> }>();
  const [intentKey, setIntentKey] = useState(() => options.initialKey ?? newIdempotencyKey());
  const form = useForm<Values>({
    resolver: useMemo(() => zodResolver(schema), [schema]),
    mode: 'onTouched',
    // `FormFrame` focuses in screen order, groups of controls included.
    shouldFocusError: false,
    // Only the first values count; `useRecord` follows the record from there.
    defaultValues: options.values as DefaultValues<Values>,
  });
  const { isDirty, isSubmitting: isSending, errors } = form.formState;
  // A photo that someone else removed is gone for good.
  const lists = Object.keys(options.pictures ?? {}).filter((name) => Array.isArray(options.values[name]));
  const record = useRecord({ ...options, lists }, form, !isSending && !isFinished);
  const fieldText = useFieldText(errors);
  const isChanged = isDirty || isOutcomeOpen || uploading.length > 0;
  const isUnsaved = isChanged || options.isUnsaved === true;
  // While the outcome is unknown, do not say that nothing was saved, and keep what saves it again under the same key.
  const isUnconfirmed = isSending || isOutcomeOpen;
  const guard = useUnsavedGuard(
    isUnsaved && !isFinished,
    isUnconfirmed ? { text: t('leavePage.unconfirmed') } : options.leave,
  );

  const { setFocus } = form;
  useEffect(() => {
    // Only now: a reset forgets the fields until they are drawn again.
    if (focused) setFocus(focused.name);
  }, [focused, setFocus]);

  const focusInvalid = () => setInvalidCount((count) => count + 1);
  const handleInvalid = (names: readonly string[]) => {
    options.onInvalid?.(names);
    focusInvalid();
  };
  const showErrors = ({ fields = {}, text }: FormErrors<Values>) => {
    const placed = Object.entries<string | undefined>(fields);
    for (const [name, message = ''] of placed) form.setError(name as Path<Values>, { type: 'server', message });
    if (placed.length > 0) handleInvalid(placed.map(([name]) => name));
    setRefusal(text);
  };
  const errorsOf = (error: unknown): FormErrors<Values> => {
    if (isOutcomeUnknown(error) && error instanceof NetworkError) return { text: t('form.unknownOutcome') };
    const described = error instanceof Error ? options.describeError?.(error) : undefined;
    if (described) return described;
    if (!(error instanceof ApiError)) return { text: errorText(error) };
    if (error.status === 412) return { text: t('form.changedMeanwhile') };
    if (isKeyReused(error)) return { text: t('form.savedBefore') };
    const { placed, rest } = placeFieldErrors(error, Object.keys(labels), options.names);
    if (placed.length + rest.length === 0) return { text: errorText(error) };
    const fields = Object.fromEntries(placed.map(({ name, message }) => [name, message]));
    return { fields: fields as NonNullable<FormErrors<Values>['fields']>, text: rest.join(' ') || undefined };
  };

  const send = async (values: Values) => {
    setRefusal(undefined);
    let result: Result | false;
    try {
      result = await options.save(values, { key: intentKey, version: options.version });
    } catch (error) {
      if (error instanceof UnauthorizedError) noteRefused('form', isOutcomeOpen);
      if (isOutcomeUnknown(error)) setOutcomeOpen(true);
      else if (guard.isLost.current) toast.error(t('leavePage.siteLost'));
      showErrors(errorsOf(error));
      return;
    }
    if (result === false) return;
    setOutcomeOpen(false);
    setFinished(true);
    guard.release();
    if (done) toast.success(done(result, values), about === undefined ? {} : { about });
    onDone(result, values);
  };
  const isRunning = useRef(false);
  const run = async () => {
    if (isRunning.current || isFinished) return;
    if (options.onUnchanged && !isUnsaved) {
      setFinished(true);
      options.onUnchanged();
      return;
    }
    isRunning.current = true;
    try {
      await form.handleSubmit(send, (invalid) => handleInvalid(Object.keys(invalid)))();
    } finally {
      isRunning.current = false;
    }
  };
  const submit = async (event?: BaseSyntheticEvent) => {
    event?.preventDefault();
    // A form in a dialog may be a child of another form, which must not be submitted with it.
    event?.stopPropagation();
    if (record.conflicts.length === 0) await run();
  };

  return {
    ...form,
    labels,
    format: options.format ?? {},
    pictures: options.pictures ?? {},
    fieldText,
    field: (name) => ({
      label: labels[name] ?? name,
      autoComplete: 'off',
      error: fieldText(name),
      ...form.register(name),
    }),
    submit,
    isSending,
    invalidCount,
    focusInvalid,
    isChanged,
    isFinished,
    refusal,
    setRefusal,
    conflicts: record.conflicts,
    // Asked again unless it is saved: until then the form is based on the older record.
    saveMine: run,
    takeTheirs: () => {
      record.rebase(true);
      setRefusal(undefined);
    },
    isUploading: uploading.length > 0,
    setUploading: (name, isUploading) =>
      setUploading((names) => [...names.filter((other) => other !== name), ...(isUploading ? [name] : [])]),
    intentKey,
    startOver: (values, name) => {
      form.reset(values);
      if (name) setFocused({ name });
      setIntentKey(newIdempotencyKey());
      setRefusal(undefined);
      setOutcomeOpen(false);
      setFinished(false);
    },
    release: guard.release,
    leaveQuestion: guard.question,
  };
}

/** Returns the values of the form's fields; a record may have more. */
function fieldsOf<Values extends FieldValues, Result>({ labels, values }: SaveFormOptions<Values, Result>): Values {
  return Object.fromEntries(Object.keys(labels).map((name) => [name, values[name]])) as Values;
}

/** Returns true if the idempotency key was already used with other values: the first attempt was saved after all. */
function isKeyReused({ problem }: ApiError): boolean {
  return problem.errors?.some(({ code }) => code === 'reused-idempotency-key') ?? false;
}
