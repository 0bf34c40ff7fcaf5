import type { ReactNode } from 'react';
import { Controller, type FieldPathByValue, type FieldValues } from 'react-hook-form';
import type { ImagePrefix } from '@/api/upload-image';
import { PictureInputLater } from '../lazy-inputs';
import type { FieldForm, SaveForm } from './use-save-form';

interface PictureFieldProps<Values extends FieldValues> {
  form: FieldForm<Values> & Pick<SaveForm<Values>, 'setUploading'>;
  /** Field with the path of the picture; null for none. */
  name: FieldPathByValue<Values, string | null>;
  prefix: ImagePrefix;
  description?: ReactNode;
  required?: boolean;
}

/** A picture input bound to a form. Saving is off while the picture is uploading. */
export function PictureField<Values extends FieldValues>({ form, name, ...props }: PictureFieldProps<Values>) {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <PictureInputLater
          {...props}
          label={form.labels[name] ?? name}
          value={field.value}
          onChange={field.onChange}
          error={form.fieldText(name)}
          onBusyChange={(isBusy) => form.setUploading(name, isBusy)}
        />
      )}
    />
  );
}
