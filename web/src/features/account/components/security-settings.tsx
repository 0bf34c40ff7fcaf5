import { Divider, Stack } from '@mantine/core';
import { Authenticator } from './authenticator';
import { PasswordChange } from './password-change';
import { SessionList } from './session-list';

/** How the own account is signed in to: password, authenticator app, sessions. */
export function SecuritySettings() {
  return (
    <Stack gap="md">
      <PasswordChange />
      <Divider />
      <Authenticator />
      <Divider />
      <SessionList />
    </Stack>
  );
}
