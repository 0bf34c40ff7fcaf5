import { TextInput } from '@mantine/core';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { FormFrame } from '@/components/form/form-frame';
import { PictureField } from '@/components/form/picture-field';
import { useSaveForm } from '@/components/form/use-save-form';
import { useSaveRoom } from '../api/save-room';
import type { Room } from '../houses.utils';
import { nextHouse } from '../ui/next-house';
import { useMeantFor } from '../ui/use-meant-for';
import { houseSchema } from '../schema';
import { MeantForField } from './meant-for-field';

interface HouseFormProps {
  readonly site: Pick<Schemas['SiteDetails'], 'id' | 'organizationId' | 'rooms' | 'isCommercial' | 'strictPlacement'>;
  /** The house to rename as it is by now; none for a new one. */
  readonly room?: Room;
  readonly onDone: () => void;
}

/** Name and photo of a house and, for those who may edit the site, whom it is for; a new one is proposed as 'House #N'. */
export function HouseForm({ site, room, onDone }: HouseFormProps) {
  const { t } = useTranslation('houses');
  const listOf = useMeantFor();
  // Staff of non-commercial sites edit houses, but not the rules of the site.
  const mayLimit = useCan('site.edit', { site });
  const { mutateAsync } = useSaveRoom(site.id, room?.id);
  const form = useSaveForm({
    schema: houseSchema,
    labels: {
      name: t('houseDialog.name'),
      imagePath: t('houseDialog.photo'),
      meantFor: t('houseDialog.meantFor'),
    },
    values: {
      name: room?.name ?? t('houseName', { number: nextHouse(site.rooms) }),
      imagePath: room?.imagePath ?? null,
      meantFor: [...(room?.meantFor ?? [])],
    },
    version: room?.version,
    format: { meantFor: listOf },
    pictures: { imagePath: 'room_' },
    save: ({ meantFor, ...values }, context) =>
      mutateAsync({ values: { ...values, meantFor: mayLimit ? meantFor : undefined }, context }),
    done: (saved) => t(room ? 'done.houseSaved' : 'done.houseAdded', { house: saved.name }),
    onDone,
  });
  const name = useWatch({ control: form.control, name: 'name' }).trim();
  return (
    <FormFrame
      form={form}
      submitLabel={room ? undefined : t('houseDialog.add')}
      isBlocked={name === '' || (room !== undefined && !form.isChanged)}
    >
      <TextInput {...form.field('name')} required maxLength={200} data-autofocus />
      <PictureField form={form} name="imagePath" prefix="room_" />
      {mayLimit ? <MeantForField form={form} site={site} /> : null}
    </FormFrame>
  );
}
