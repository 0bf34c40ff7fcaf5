import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Dialog } from '@/components/dialog/dialog';
import { ErrorState } from '@/components/error-state';
import { TableSkeleton } from '@/components/skeletons';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { insurersQuery } from '@/features/insurers/api/insurers-query';
import { useEditOrganization } from '../api/save-organization';
import { contains } from '@/lib/text';
import { withInsurers } from '../organizations.utils';
import classes from './organizations.module.css';

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
      <Choice organization={organization} onClose={onClose} />
    </Dialog>
  );
}

/** Search, checkboxes, OK and Cancel; what was chosen stays chosen while the search changes. */
function Choice({ organization, onClose }: Omit<AddInsurersDialogProps, 'subject'>) {
  const { t } = useTranslation(['organizations', 'common']);
  const errorText = useErrorText();
  const { data: insurers, error, isPending, refetch } = useQuery(insurersQuery);
  const edit = useEditOrganization();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [refusal, setRefusal] = useState<string>();
  if (isPending) return <TableSkeleton rows={3} />;
  if (!insurers) return <ErrorState error={error} onRetry={() => void refetch()} />;

  const linked = organization.insuranceCompanies.map(({ id }) => id);
  const free = insurers.filter(({ id }) => !linked.includes(id));
  const found = free.filter(({ name }) => contains(name, search));

  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const handleOk = async () => {
    setRefusal(undefined);
    try {
      await edit.mutateAsync(withInsurers(organization, [...linked, ...chosen]));
      toast.success(t('done.linked', { count: chosen.size }));
      onClose();
    } catch (failure) {
      setRefusal(errorText(failure));
    }
  };

  return (
    <Stack gap="md">
      <TextInput
        type="search"
        aria-label={t('insurers.search')}
        placeholder={t('insurers.search')}
        leftSection={<Search size={16} aria-hidden />}
        data-autofocus
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {found.length === 0 ? (
        <Text c="dimmed">{t(free.length === 0 ? 'insurers.allLinked' : 'insurers.none')}</Text>
      ) : (
        <div className={classes.scroll} role="group" aria-label={t('insurers.choose')}>
          <div className={classes.rows}>
            {found.map(({ id, name, isPrimary }) => (
              <label key={id} className={classes.choice}>
                <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
                <span className={classes.words}>
                  {name}
                  {isPrimary ? <span className={classes.more}>{t('insurers.top')}</span> : null}
                </span>
              </label>
            ))}
          </div>
        </div>
      )}
      {refusal ? (
        <Alert color="red" role="alert">
          {refusal}
        </Alert>
      ) : null}
      <Group justify="space-between" gap="sm">
        <Text c="dimmed" size="sm" role="status">
          {chosen.size > 0 ? t('insurers.chosen', { count: chosen.size }) : ''}
        </Text>
        <Group gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('common:action.cancel')}
          </Button>
          <Button loading={edit.isPending} disabled={chosen.size === 0} onClick={() => void handleOk()}>
            {t('insurers.ok')}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
