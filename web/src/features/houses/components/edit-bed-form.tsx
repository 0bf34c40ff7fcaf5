import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useBedTexts } from '../ui/use-bed-texts';
import { FormFrame } from '@/components/form/form-frame';
import { PictureField } from '@/components/form/picture-field';
import { useSaveForm } from '@/components/form/use-save-form';
import { useSaveBed } from '../api/save-bed';
import { type Bed, draftOf } from '../houses.utils';
import { bedEditSchema, type BedEditValues } from '../schema';
import { BedFields, useBedLabels } from './bed-fields';

interface EditBedFormProps {
  readonly siteId: string;
  /** The bed as it is by now. */
  readonly bed: Bed;
  readonly onDone: () => void;
}

/** What the form shows of a bed. */
function valuesOf({ type, name, description, imagePath }: Bed): BedEditValues {
  return { type, name, description: description ?? '', imagePath: imagePath ?? null };
}

/** Name, type and description of a bed. Save is off while nothing has changed or the name is empty (spec B, section 5). */
export function EditBedForm({ siteId, bed, onDone }: EditBedFormProps) {
  const { t } = useTranslation('houses');
  const texts = useBedTexts();
  const { mutateAsync } = useSaveBed(siteId);
  const form = useSaveForm({
    schema: bedEditSchema,
    labels: { ...useBedLabels(), imagePath: t('bedDialog.photo') },
    values: valuesOf(bed),
    version: bed.version,
    format: { type: texts.type },
    pictures: { imagePath: 'bed_' },
    save: ({ description, ...values }, { version }) =>
      mutateAsync({ ...draftOf(bed), ...values, version, description: description || null }),
    about: `bed:${bed.id}`,
    done: (_bed, { name }) => t('done.bedSaved', { bed: name }),
    onDone,
  });
  const name = useWatch({ control: form.control, name: 'name' }).trim();
  return (
    <FormFrame form={form} isBlocked={name === '' || !form.isChanged}>
      <BedFields type={form.field('type')} name={form.field('name')} description={form.field('description')} />
      <PictureField form={form} name="imagePath" prefix="bed_" />
    </FormFrame>
  );
}
