import { Accordion, Divider, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '@/components/page-header';
import { NameChange } from '@/features/account/components/name-change';
import { Authenticator } from '@/features/auth/components/authenticator';
import { EmailChange } from '@/features/auth/components/email-change';
import { PasswordChange } from '@/features/auth/components/password-change';
import { PhoneChange } from '@/features/auth/components/phone-change';
import { ProfileDeletion } from '@/features/auth/components/profile-deletion';
import { SessionList } from '@/features/auth/components/session-list';

/** The own account: how to be reached, how to sign in, and the way out (spec A section 2, Profile). */
export function ProfilePage() {
  const { t } = useTranslation('account');
  return (
    <Stack gap="lg" maw={720}>
      <PageHeader title={t('profile.title')} />
      <Accordion variant="separated" multiple defaultValue={['contact']} order={2}>
        <Accordion.Item value="contact" data-tour="profile-contact">
          <Accordion.Control>{t('profile.contact')}</Accordion.Control>
          <Accordion.Panel>
            <Stack gap="md">
              <NameChange />
              <Divider />
              <EmailChange />
              <Divider />
              <PhoneChange />
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="security" data-tour="profile-security">
          <Accordion.Control>{t('profile.security')}</Accordion.Control>
          <Accordion.Panel>
            <Stack gap="md">
              <PasswordChange />
              <Divider />
              <Authenticator />
              <Divider />
              <SessionList />
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="profile" data-tour="profile-profile">
          <Accordion.Control>{t('profile.profile')}</Accordion.Control>
          <Accordion.Panel>
            <ProfileDeletion />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}
