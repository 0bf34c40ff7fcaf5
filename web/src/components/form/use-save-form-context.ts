import { createContext, use } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { SaveForm } from './use-save-form';

/** The form that `FormFrame` provides to its fields. */
export const SaveFormContext = createContext<unknown>(null);

/** Returns the form of the surrounding `FormFrame`. */
export function useSaveFormContext<Values extends FieldValues>(): SaveForm<Values> {
  const form = use(SaveFormContext);
  if (form === null) throw new Error('useSaveFormContext needs a FormFrame around it.');
  return form as SaveForm<Values>;
}
