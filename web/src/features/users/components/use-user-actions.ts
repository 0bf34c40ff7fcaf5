import { useTranslation } from 'react-i18next';
import { ApiError, NO_TEXT } from '@/api/errors';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useChangeRole, useDisableAccessUser, useResendInvitation } from '../api/save-access-user';
import type { AccessUser, Role } from '../api/types';
import { nameOf } from '../ui/name-of';
import type { UserAction, UsersDialog } from '../users.utils';

/** Runs what a row offers: at once with a way back, or by the dialog it needs. */
export function useUserActions(
  onDialog: (dialog: UsersDialog) => void,
): (user: AccessUser, action: UserAction) => void {
  const { t } = useTranslation('users');
  const errorText = useErrorText();
  const { mutateAsync: disable } = useDisableAccessUser();
  const { mutateAsync: changeRole } = useChangeRole();
  const { mutate: resend } = useResendInvitation();

  const setDisabled = (user: AccessUser, isDisabled: boolean, canUndo: boolean): Promise<void> =>
    disable({ user, isDisabled }).then(
      () =>
        toast.success(t(isDisabled ? 'done.disabled' : 'done.enabled', { user: nameOf(user) }), {
          about: user.id,
          ...(canUndo ? { undo: { onUndo: () => setDisabled(user, !isDisabled, false) } } : {}),
        }),
      (error: Error) => toast.error(errorText(error), { about: user.id }),
    );

  const setRole = (user: AccessUser, role: Role, canUndo: boolean): Promise<void> =>
    changeRole({ user, role }).then(
      () =>
        toast.success(t('done.role', { user: nameOf(user), role: t(`role.${role}`) }), {
          about: user.id,
          ...(canUndo ? { undo: { onUndo: () => setRole(user, user.role, false) } } : {}),
        }),
      // Spec A section 8: the server's text, or ours when it sent none.
      (error: Error) =>
        toast.error(error instanceof ApiError && error.code !== NO_TEXT ? errorText(error) : t('roleFailed'), {
          about: user.id,
        }),
    );

  return (user, action) => {
    switch (action.kind) {
      case 'enable':
      case 'disable':
        void setDisabled(user, action.kind === 'disable', true);
        return;
      case 'role':
        void setRole(user, action.role, true);
        return;
      case 'resend':
        resend(user.id, {
          onSuccess: () => toast.success(t('done.resent', { email: user.user.email }), { about: user.id }),
          onError: (error) => toast.error(errorText(error), { about: user.id }),
        });
        return;
      case 'edit':
        onDialog({ kind: user.membershipStatus === 'PendingInvitation' ? 'cannot-edit' : 'edit', user });
        return;
      case 'remove':
        onDialog({ kind: 'remove', user });
    }
  };
}
