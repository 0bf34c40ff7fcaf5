import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { organizationsQuery } from '@/features/organizations/api/organizations-query';
import { payingOrganizations } from '../ui/paying-organizations';
import classes from './cards.module.css';

interface OrganizationChoiceProps {
  organizationId: string;
  /** The screen that is shown for each organization. */
  to: '/cards/$organizationId' | '/payment-details/$organizationId';
}

/** Select for owners of several commercial organizations: whose cards or bills are shown. */
export function OrganizationChoice({ organizationId, to }: OrganizationChoiceProps) {
  const { t } = useTranslation('cards');
  const user = useUser();
  const navigate = useNavigate();
  const { data } = useQuery({ ...organizationsQuery('organizations'), enabled: user.ownerOrganizationIds.size > 1 });
  const choices = payingOrganizations(user, data ?? []);
  const isOne = choices.every(({ id }) => id === organizationId);
  if (isOne) return null;
  return (
    <NativeSelect
      label={t('organization')}
      className={classes.choice}
      mb="md"
      value={organizationId}
      onChange={(event) => void navigate({ to, params: { organizationId: event.currentTarget.value } })}
    >
      {choices.some(({ id }) => id === organizationId) ? null : (
        <option value={organizationId}>{t('chooseOrganization')}</option>
      )}
      {choices.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </NativeSelect>
  );
}
