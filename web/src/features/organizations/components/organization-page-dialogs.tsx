import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Dialog } from '@/components/dialog/dialog';
import { ofKind } from '@/components/dialog/dialog-subject';
import { DeleteSite } from '@/features/sites/ui/delete-site';
import type { OrganizationPageDialog } from '../organizations.utils';
import { DeleteOrganization } from './delete-organization';
import { EditOrganizationForm } from './edit-organization-form';
import { OwnersDialog } from './owners-dialog';
import { ReasonsDialog } from './reasons-dialog';

interface OrganizationPageDialogsProps {
  subject: OrganizationPageDialog | null;
  organization: Schemas['Organization'];
  onClose: () => void;
  /** After the organization is gone. */
  onDeleted: () => void;
}

/** All dialogs of the page of an organization. */
export function OrganizationPageDialogs(props: OrganizationPageDialogsProps) {
  const { subject, organization, onClose, onDeleted } = props;
  const { t } = useTranslation('organizations');
  return (
    <>
      <OwnersDialog subject={ofKind(subject, 'owners')} organization={organization} onClose={onClose} />
      <ReasonsDialog subject={ofKind(subject, 'reasons')} organization={organization} onClose={onClose} />
      <Dialog subject={ofKind(subject, 'edit')} title={t('editTitle', { name: organization.name })} onClose={onClose}>
        <EditOrganizationForm organization={organization} onDone={onClose} />
      </Dialog>
      <DeleteOrganization subject={ofKind(subject, 'delete') && organization} onClose={onClose} onDeleted={onDeleted} />
      <DeleteSite
        subject={ofKind(subject, 'delete-site')?.site}
        isCommercial={organization.isCommercial}
        onClose={onClose}
      />
    </>
  );
}
