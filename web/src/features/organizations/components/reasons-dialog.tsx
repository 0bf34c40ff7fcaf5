import { Divider, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Dialog } from '@/components/dialog/dialog';
import type { DialogSubject } from '@/components/dialog/dialog-subject';
import { ErrorState } from '@/components/error-state';
import { MenuButton, type MenuEntry } from '@/components/menu-button';
import { Refusal } from '@/components/refusal';
import { TableSkeleton } from '@/components/skeletons';
import { StatusBadge } from '@/components/status-badge';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { reasonsQuery, useEditReason } from '../api/reasons';
import { NewReasonForm } from './new-reason-form';
import { RenameReasonForm } from './rename-reason-form';
import classes from './organizations.module.css';

type Reason = Schemas['Reason'];

interface ReasonsDialogProps {
  subject: DialogSubject<object>;
  organization: Pick<Schemas['Organization'], 'id' | 'name'>;
  onClose: () => void;
}

/** The reasons for declines and discharges that an organization offers, and the form that adds one. */
export function ReasonsDialog({ subject, organization, onClose }: ReasonsDialogProps) {
  const { t } = useTranslation('organizations');
  const [renamed, setRenamed] = useState<Reason | null>(null);
  const stopRenaming = () => setRenamed(null);
  return (
    <>
      <Dialog subject={subject} title={t('reasons.title', { name: organization.name })} onClose={onClose}>
        <Stack gap="lg">
          <Text>{t('reasons.intro')}</Text>
          <Reasons organizationId={organization.id} onRename={setRenamed} />
          <Divider />
          <NewReasonForm organizationId={organization.id} />
        </Stack>
      </Dialog>
      <Dialog
        subject={renamed}
        title={({ name }) => t('reasons.renameTitle', { name })}
        width={350}
        onClose={stopRenaming}
      >
        {(reason) => <RenameReasonForm organizationId={organization.id} reason={reason} onDone={stopRenaming} />}
      </Dialog>
    </>
  );
}

interface ReasonsProps {
  organizationId: string;
  onRename: (reason: Reason) => void;
}

function Reasons({ organizationId, onRename }: ReasonsProps) {
  const { data, error, isPending, refetch } = useQuery(reasonsQuery(organizationId));
  if (isPending) return <TableSkeleton rows={2} />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      {(['Decline', 'Discharge'] as const).map((kind) => (
        <ReasonList
          key={kind}
          kind={kind}
          reasons={data.filter((reason) => reason.kind === kind)}
          organizationId={organizationId}
          onRename={onRename}
        />
      ))}
    </>
  );
}

interface ReasonListProps extends ReasonsProps {
  kind: Schemas['ReasonKind'];
  reasons: readonly Reason[];
}

function ReasonList({ kind, reasons, organizationId, onRename }: ReasonListProps) {
  const { t } = useTranslation('organizations');
  const errorText = useErrorText();
  const edit = useEditReason(organizationId);
  const [refusal, setRefusal] = useState<string>();

  const setDisabled = async ({ id, name }: Reason, isDisabled: boolean) => {
    setRefusal(undefined);
    try {
      await edit.mutateAsync({ reasonId: id, edit: { isDisabled } });
      toast.success(t(isDisabled ? 'reasons.retiredDone' : 'reasons.restored', { name }), { about: `reason:${id}` });
    } catch (failure) {
      setRefusal(errorText(failure));
    }
  };
  const entries = (reason: Reason): MenuEntry[] => [
    { label: t('reasons.rename'), onSelect: () => onRename(reason) },
    {
      label: t(reason.isDisabled ? 'reasons.restore' : 'reasons.retire'),
      onSelect: () => void setDisabled(reason, !reason.isDisabled),
    },
  ];
  const headingId = `reasons-${kind}`;
  return (
    <section aria-labelledby={headingId}>
      <Title order={3} mb="xs" id={headingId}>
        {t(`reasons.${kind}`)}
      </Title>
      {reasons.length === 0 ? (
        <Text c="dimmed">{t('reasons.empty')}</Text>
      ) : (
        <ul className={classes.rows}>
          {reasons.map((reason) => (
            <li key={reason.id} className={`${classes.row} ${classes.person}`}>
              <span className={classes.words}>{reason.name}</span>
              <span className={classes.states}>
                {reason.isDisabled ? <StatusBadge tone="gray">{t('reasons.retired')}</StatusBadge> : null}
              </span>
              <span className={classes.deeds}>
                <MenuButton label={t('menu', { name: reason.name })} entries={entries(reason)} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <Refusal mt="sm">{refusal}</Refusal>
    </section>
  );
}
