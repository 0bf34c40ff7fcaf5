import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useFocusBack } from '@/components/use-focus-back';
import { useLast } from '@/components/use-last';
import type { OrganizationDialog } from '../organizations.utils';
import { CreateOrganizationForm } from './create-organization-form';
import { DeleteOrganization } from './delete-organization';
import { EditOrganizationForm } from './edit-organization-form';
import { OverviewDialog } from './overview-dialog';

interface OrganizationDialogsProps {
  dialog: OrganizationDialog | null;
  /** The organizations of the list as they are by now. */
  organizations: readonly Schemas['Organization'][];
  /** Whether a new one is commercial. */
  isCommercial: boolean;
  onClose: () => void;
}

/** Where the focus belongs after a dialog that was opened from a menu. */
function menuSelector(dialog: OrganizationDialog | null): string | null {
  return dialog && 'organization' in dialog ? `[data-organization-menu="${dialog.organization.id}"] button` : null;
}

/** All dialogs of a list of organizations. */
export function OrganizationDialogs({ dialog, organizations, isCommercial, onClose }: OrganizationDialogsProps) {
  const { t } = useTranslation(['organizations', 'common']);
  const shown = useLast(dialog);
  useFocusBack(menuSelector(dialog));
  const isForm = dialog?.kind === 'create' || dialog?.kind === 'edit';
  return (
    <>
      <Modal
        opened={isForm}
        onClose={onClose}
        size={600}
        closeOnClickOutside={false}
        title={title()}
        closeButtonProps={{ 'aria-label': t('common:action.close') }}
      >
        {shown?.kind === 'create' ? <CreateOrganizationForm isCommercial={isCommercial} onDone={onClose} /> : null}
        {shown?.kind === 'edit' ? (
          <EditOrganizationForm
            key={shown.organization.id}
            organization={organizations.find(({ id }) => id === shown.organization.id) ?? shown.organization}
            onDone={onClose}
          />
        ) : null}
      </Modal>
      {shown?.kind === 'delete' ? (
        <DeleteOrganization
          key={shown.organization.id}
          opened={dialog?.kind === 'delete'}
          organization={shown.organization}
          onClose={onClose}
        />
      ) : null}
      <OverviewDialog opened={dialog?.kind === 'overview'} onClose={onClose} />
    </>
  );

  function title(): string | null {
    if (shown?.kind === 'edit') return t('editTitle', { name: shown.organization.name });
    return t(isCommercial ? 'createTitle.commercial' : 'createTitle.free');
  }
}
