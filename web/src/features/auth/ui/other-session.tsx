import { Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** Says who else is signed in in this browser, after the link of another account was used, and offers to sign them out. */
export function OtherSession({ email }: { email: string }) {
  const { t } = useTranslation('account');
  return (
    <Stack gap="sm">
      <Text>{t('otherSession.text', { email })}</Text>
      <Button variant="default" renderRoot={(props) => <Link to="/logout" {...props} />}>
        {t('otherSession.signOut')}
      </Button>
    </Stack>
  );
}
