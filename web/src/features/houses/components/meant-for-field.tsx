import { Checkbox, Stack } from '@mantine/core';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { SaveForm } from '@/components/form/use-save-form';
import { useCatalogNames } from '@/components/use-catalog-names';
import type { HouseValues } from '../schema';
import { MEANT_FOR_GROUPS } from '../ui/meant-for.utils';

interface MeantForFieldProps {
  readonly form: SaveForm<HouseValues>;
  /** Types of client are asked of guests of commercial sites only. */
  readonly isCommercial: boolean;
}

/** Whom a house is for: genders, ages and types of client (docs/decisions/0068). */
export function MeantForField({ form, isCommercial }: MeantForFieldProps) {
  const { t } = useTranslation('houses');
  const names = useCatalogNames();
  const groups = MEANT_FOR_GROUPS.slice(0, isCommercial ? 3 : 2);
  return (
    <Controller
      control={form.control}
      name="meantFor"
      render={({ field }) => (
        <Checkbox.Group
          label={form.labels['meantFor']}
          description={t('houseDialog.meantForHint')}
          value={field.value}
          onChange={(ids) => field.onChange(ids.toSorted())}
          error={form.fieldText('meantFor')}
        >
          <Stack gap="md" mt="xs">
            {groups.map((ids, group) => (
              <Stack key={ids[0]} gap="xs">
                {ids.map((id, index) => (
                  <Checkbox
                    key={id}
                    value={id}
                    label={names.service({ id, name: id })}
                    ref={group + index === 0 ? field.ref : undefined}
                  />
                ))}
              </Stack>
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    />
  );
}
