import { Checkbox, Stack } from '@mantine/core';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import type { SaveForm } from '@/components/form/use-save-form';
import { useCatalogNames } from '@/components/use-catalog-names';
import type { HouseValues } from '../schema';
import { MEANT_FOR_GROUPS } from '../ui/meant-for.utils';
import classes from './houses.module.css';

interface MeantForFieldProps {
  readonly form: SaveForm<HouseValues>;
  readonly site: Pick<Schemas['SiteDetails'], 'isCommercial' | 'strictPlacement'>;
}

/** Whom a house is for: genders, ages and types of client (docs/decisions/0068). */
export function MeantForField({ form, site }: MeantForFieldProps) {
  const { t } = useTranslation('houses');
  const names = useCatalogNames();
  // Types of client are asked of guests of commercial sites only.
  const groups = MEANT_FOR_GROUPS.filter(({ kind }) => kind !== 'client' || site.isCommercial);
  return (
    <Controller
      control={form.control}
      name="meantFor"
      render={({ field }) => (
        <Checkbox.Group
          label={form.labels['meantFor']}
          description={t(site.strictPlacement ? 'houseDialog.meantForStrict' : 'houseDialog.meantForHint')}
          value={field.value}
          onChange={(ids) => field.onChange(ids.toSorted())}
          error={form.fieldText('meantFor')}
        >
          <Stack gap="md" mt="xs">
            {groups.map(({ kind, ids }, group) => (
              <fieldset key={kind} className={classes.group}>
                <legend className={classes.legend}>{t(`houseDialog.group.${kind}`)}</legend>
                <Stack gap="xs">
                  {ids.map((id, index) => (
                    <Checkbox
                      key={id}
                      value={id}
                      label={names.service({ id, name: id })}
                      ref={group + index === 0 ? field.ref : undefined}
                    />
                  ))}
                </Stack>
              </fieldset>
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    />
  );
}
