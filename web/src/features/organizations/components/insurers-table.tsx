import { Text } from '@mantine/core';
import { ShieldPlus, Trash2 } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { DataTable } from '@/components/data-table/data-table';
import type { DataColumn, TableState } from '@/components/data-table/data-table.types';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { EmptyState } from '@/components/empty-state';
import { NameMark } from '@/components/name-mark';
import { StatusBadge } from '@/components/status-badge';
import { useEditOrganization } from '../api/save-organization';
import { withInsurers } from '../organizations.utils';
import classes from './organizations.module.css';

type Insurer = Schemas['InsuranceCompany'];

/** The list is short and shown whole, in the order of the server: top ones first. */
const WHOLE: TableState = { page: 0, size: 250, direction: 'asc', dense: false };

interface InsurersTableProps {
  organization: Schemas['Organization'];
  canEdit: boolean;
  emptyAction: ReactNode;
}

/** The insurers of an organization; Delete takes one from the list (spec B section 2, Organization insurers). */
export function InsurersTable({ organization, canEdit, emptyAction }: InsurersTableProps) {
  const { t } = useTranslation('organizations');
  const [state, setState] = useState(WHOLE);
  const [leaving, setLeaving] = useState<Insurer | null>(null);
  const columns = useInsurerColumns();
  return (
    <>
      <DataTable
        label={t('insurers.title')}
        columns={columns}
        rows={organization.insuranceCompanies}
        rowId={(insurer) => insurer.id}
        state={state}
        onStateChange={setState}
        rowActions={(insurer) =>
          canEdit
            ? [
                {
                  label: t('insurers.delete'),
                  accessibleLabel: t('insurers.deleteOne', { name: insurer.name }),
                  icon: <Trash2 size={16} aria-hidden />,
                  danger: true,
                  onSelect: () => setLeaving(insurer),
                },
              ]
            : []
        }
        empty={
          <EmptyState
            icon={<ShieldPlus size={32} strokeWidth={1.5} />}
            title={t('insurers.empty')}
            hint={t('insurers.emptyHint')}
            action={emptyAction}
          />
        }
        mode="client"
        unpaged
      />
      <Removal organization={organization} insurer={leaving} onClose={() => setLeaving(null)} />
    </>
  );
}

/** One column: who it is. */
function useInsurerColumns(): DataColumn<Insurer>[] {
  const { t } = useTranslation('organizations');
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('insurers.column'),
        isTitle: true,
        cell: (insurer) => <InsurerName insurer={insurer} />,
      },
    ],
    [t],
  );
}

/** Logo and name; a top company says so. */
function InsurerName({ insurer: { name, logoPath, isPrimary } }: { insurer: Insurer }) {
  const { t } = useTranslation('organizations');
  return (
    <span className={classes.insurer}>
      <NameMark name={name} imagePath={logoPath} size={32} />
      <span>{name}</span>
      {isPrimary ? <StatusBadge tone="brand">{t('insurers.top')}</StatusBadge> : null}
    </span>
  );
}

interface RemovalProps {
  organization: Schemas['Organization'];
  insurer: Insurer | null;
  onClose: () => void;
}

/** Asks before a company leaves the list of the organization. */
function Removal({ organization, insurer, onClose }: RemovalProps) {
  const { t } = useTranslation('organizations');
  const edit = useEditOrganization();
  const without = (id: string) =>
    withInsurers(
      organization,
      organization.insuranceCompanies.map((linked) => linked.id).filter((linked) => linked !== id),
    );
  return (
    <ConfirmMutation
      danger
      subject={insurer}
      title={({ name }) => t('insurers.removeTitle', { name })}
      confirmLabel={t('insurers.removeConfirm')}
      run={({ id }) => edit.mutateAsync(without(id))}
      done={({ name }) => t('done.unlinked', { name })}
      onClose={onClose}
    >
      {({ name }) => (
        <>
          <Text>{t('insurers.removeText', { name, organization: organization.name })}</Text>
          {organization.insuranceCompanies.length === 1 ? (
            <Text mt="sm">{t('insurers.removeLastText', { organization: organization.name })}</Text>
          ) : null}
        </>
      )}
    </ConfirmMutation>
  );
}
