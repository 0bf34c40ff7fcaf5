import { Checkbox, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import type { Schemas } from '@/api/client';
import { Dialog } from '@/components/dialog/dialog';
import { ErrorState } from '@/components/error-state';
import { FormFrame } from '@/components/form/form-frame';
import { useSaveForm } from '@/components/form/use-save-form';
import { SearchInput } from '@/components/search-input';
import { TableSkeleton } from '@/components/skeletons';
import { insurersQuery } from '@/features/insurers/api/insurers-query';
import { useEditOrganization } from '../api/save-organization';
import { contains } from '@/lib/text';
import { withInsurers } from '../organizations.utils';
import classes from './organizations.module.css';

const schema = z.object({ ids: z.array(z.string()) });
const NOTHING: z.infer<typeof schema> = { ids: [] };

interface AddInsurersDialogProps {
  subject: boolean;
  organization: Schemas['Organization'];
  onClose: () => void;
}

/** Chooses companies that are not linked yet (spec B section 2, Organization insurers). */
export function AddInsurersDialog({ subject, organization, onClose }: AddInsurersDialogProps) {
  const { t } = useTranslation('organizations');
  return (
    <Dialog subject={subject} title={t('insurers.addTitle', { name: organization.name })} onClose={onClose}>
      <LoadedChoice organization={organization} onClose={onClose} />
    </Dialog>
  );
}

function LoadedChoice(props: Omit<AddInsurersDialogProps, 'subject'>) {
  const { data: insurers, error, isPending, refetch } = useQuery(insurersQuery);
  if (isPending) return <TableSkeleton rows={3} />;
  if (!insurers) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <Choice {...props} insurers={insurers} />;
}

interface ChoiceProps extends Omit<AddInsurersDialogProps, 'subject'> {
  insurers: readonly Schemas['ListedInsuranceCompany'][];
}

/** Search, checkboxes, OK and Cancel; what was chosen stays chosen while the search changes. */
function Choice({ organization, insurers, onClose }: ChoiceProps) {
  const { t } = useTranslation('organizations');
  const edit = useEditOrganization();
  const [search, setSearch] = useState('');
  const linked = organization.insuranceCompanies.map(({ id }) => id);
  const form = useSaveForm({
    schema,
    labels: { ids: t('insurers.choose') },
    values: NOTHING,
    version: organization.version,
    save: ({ ids }) => edit.mutateAsync(withInsurers(organization, [...linked, ...ids])),
    done: (_saved, { ids }) => t('done.linked', { count: ids.length }),
    onDone: onClose,
  });
  const chosen = useWatch({ control: form.control, name: 'ids' });
  const free = insurers.filter(({ id }) => !linked.includes(id));
  const found = free.filter(({ name }) => contains(name, search));

  return (
    <FormFrame
      form={form}
      submitLabel={t('insurers.ok')}
      isBlocked={chosen.length === 0}
      aside={
        <Text c="dimmed" size="sm" role="status">
          {chosen.length > 0 ? t('insurers.chosen', { count: chosen.length }) : ''}
        </Text>
      }
    >
      <SearchInput label={t('insurers.search')} value={search} onChange={setSearch} isFirst />
      {found.length === 0 ? (
        <Text c="dimmed">{t(free.length === 0 ? 'insurers.allLinked' : 'insurers.none')}</Text>
      ) : (
        <Checkbox.Group
          classNames={{ label: 'berth-hidden' }}
          label={t('insurers.choose')}
          value={chosen}
          onChange={(ids) => form.setValue('ids', ids, { shouldDirty: true })}
        >
          <div className={classes.scroll}>
            <div className={classes.rows}>
              {found.map(({ id, name, isPrimary }) => (
                <Checkbox
                  key={id}
                  value={id}
                  classNames={{ body: classes.choice, labelWrapper: classes.words, label: classes.choiceLabel }}
                  label={
                    <>
                      {name}
                      {isPrimary ? <span className={classes.more}>{t('insurers.top')}</span> : null}
                    </>
                  }
                />
              ))}
            </div>
          </div>
        </Checkbox.Group>
      )}
    </FormFrame>
  );
}
