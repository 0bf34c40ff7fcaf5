import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useFocusBack } from '@/components/use-focus-back';
import { useLast } from '@/components/use-last';
import type { OrganizationPageDialog } from '../organizations.utils';
import { DeleteOrganization } from './delete-organization';
import { DeleteSite } from './delete-site';
import { EditOrganizationForm } from './edit-organization-form';
import { OwnersDialog } from './owners-dialog';

interface OrganizationPageDialogsProps {
  dialog: OrganizationPageDialog | null;
  organization: Schemas['Organization'];
  onClose: () => void;
  /** After the organization is gone. */
  onDeleted: () => void;
}

/** Where the focus belongs after a dialog that was opened from a menu. */
function menuSelector(dialog: OrganizationPageDialog | null): string | null {
  if (!dialog || dialog.kind === 'owners') return null;
  const menu = dialog.kind === 'delete-site' ? `site-menu="${dialog.site.id}"` : 'organization-menu';
  return `[data-${menu}] button`;
}

/** All dialogs of the page of an organization. */
export function OrganizationPageDialogs(props: OrganizationPageDialogsProps) {
  const { dialog, organization, onClose, onDeleted } = props;
  const { t } = useTranslation(['organizations', 'common']);
  const shown = useLast(dialog);
  useFocusBack(menuSelector(dialog));
  return (
    <>
      <OwnersDialog opened={dialog?.kind === 'owners'} organization={organization} onClose={onClose} />
      <Modal
        opened={dialog?.kind === 'edit'}
        onClose={onClose}
        size={600}
        closeOnClickOutside={false}
        title={t('editTitle', { name: organization.name })}
        closeButtonProps={{ 'aria-label': t('common:action.close') }}
      >
        {shown?.kind === 'edit' ? <EditOrganizationForm organization={organization} onDone={onClose} /> : null}
      </Modal>
      <DeleteOrganization
        opened={dialog?.kind === 'delete'}
        organization={organization}
        onClose={onClose}
        onDeleted={onDeleted}
      />
      {shown?.kind === 'delete-site' ? (
        <DeleteSite key={shown.site.id} opened={dialog?.kind === 'delete-site'} site={shown.site} onClose={onClose} />
      ) : null}
    </>
  );
}
