import { Anchor, Button, Stack } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useRenewInvitation } from '../api/invitation';
import { useAuthFailure } from '../ui/use-auth-error';
import { AuthLayout } from './auth-layout';
import { FormError } from '../ui/form-error';

/** An invitation that is too old, and the way to a new link. Without its token only a person can help. */
export function SignupExpired({ linkToken }: { linkToken?: string }) {
  const { t } = useTranslation('account');
  const toFailure = useAuthFailure();
  const navigate = useNavigate();
  const renew = useRenewInvitation();
  return (
    <AuthLayout
      title={t('signup.expiredTitle')}
      text={linkToken ? t('signup.expiredText') : t('signup.expiredMissing')}
    >
      <Stack gap="md">
        {linkToken ? (
          <Button
            size="md"
            fullWidth
            loading={renew.isPending}
            onClick={() =>
              renew.mutate(linkToken, { onSuccess: () => void navigate({ to: '/signup-check-email', replace: true }) })
            }
          >
            {t('signup.renew')}
          </Button>
        ) : null}
        <FormError failure={renew.error ? toFailure(renew.error) : undefined} />
        <Anchor renderRoot={(props) => <Link to="/login" {...props} />}>{t('signup.toLogin')}</Anchor>
      </Stack>
    </AuthLayout>
  );
}
