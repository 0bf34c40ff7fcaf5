import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Dialog } from '@/components/dialog/dialog';
import { ofKind } from '@/components/dialog/dialog-subject';
import type { OrganizationDialog } from '../organizations.utils';
import { CreateOrganizationForm } from './create-organization-form';
import { DeleteOrganization } from './delete-organization';
import { EditOrganizationForm } from './edit-organization-form';
import { OverviewDialog } from './overview-dialog';

interface OrganizationDialogsProps {
  subject: OrganizationDialog | null;
  /** The organizations of the list as they are by now. */
  organizations: readonly Schemas['Organization'][];
  /** Whether a new one is commercial. */
  isCommercial: boolean;
  onClose: () => void;
}

/** All dialogs of a list of organizations. */
export function OrganizationDialogs({ subject, organizations, isCommercial, onClose }: OrganizationDialogsProps) {
  const { t } = useTranslation('organizations');
  return (
    <>
      <Dialog
        subject={ofKind(subject, 'create')}
        title={t(isCommercial ? 'createTitle.commercial' : 'createTitle.free')}
        onClose={onClose}
      >
        <CreateOrganizationForm isCommercial={isCommercial} onDone={onClose} />
      </Dialog>
      <Dialog
        subject={ofKind(subject, 'edit')}
        title={({ organization }) => t('editTitle', { name: organization.name })}
        onClose={onClose}
      >
        {({ organization }) => (
          <EditOrganizationForm
            organization={organizations.find(({ id }) => id === organization.id) ?? organization}
            onDone={onClose}
          />
        )}
      </Dialog>
      <DeleteOrganization subject={ofKind(subject, 'delete')?.organization ?? null} onClose={onClose} />
      <OverviewDialog subject={ofKind(subject, 'overview')} onClose={onClose} />
    </>
  );
}
