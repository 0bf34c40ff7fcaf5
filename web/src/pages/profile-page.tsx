import { Accordion, Divider, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { lazyNamed } from '@/components/lazy-named';
import { PageHeader } from '@/components/page-header';
import { NameChange } from '@/features/account/components/name-change';
import { EmailChange } from '@/features/account/components/email-change';
import { PhoneChange } from '@/features/account/components/phone-change';
import { PreferenceSettings } from '@/features/account/components/preference-settings';
import { ProfileDeletion } from '@/features/account/components/profile-deletion';

/** Loads when its part is opened: the next invoices come from the card provider. */
const OwnSubscriptions = lazyNamed(() => import('@/features/billing/ui/own-subscriptions'), 'OwnSubscriptions', {
  texts: ['billing'],
});

/** Loads when its part is opened. */
const MessageSettingsForm = lazyNamed(
  () => import('@/features/account/components/message-settings'),
  'MessageSettingsForm',
  { texts: ['messages'] },
);

/** Loads when its part is opened. */
const SecuritySettings = lazyNamed(() => import('@/features/account/components/security-settings'), 'SecuritySettings');

/** The own account: how to be reached, how to sign in, and the way out (spec A section 2, Profile). */
export function ProfilePage() {
  const { t } = useTranslation('account');
  const user = useUser();
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
        {user.ownerOrganizationIds.size > 0 ? (
          <Accordion.Item value="subscriptions">
            <Accordion.Control>{t('profile.subscriptions')}</Accordion.Control>
            <Accordion.Panel>
              <OwnSubscriptions />
            </Accordion.Panel>
          </Accordion.Item>
        ) : null}
        <Accordion.Item value="messages" data-tour="profile-messages">
          <Accordion.Control>{t('profile.messages')}</Accordion.Control>
          <Accordion.Panel>
            <MessageSettingsForm />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="preferences" data-tour="profile-preferences">
          <Accordion.Control>{t('profile.preferences')}</Accordion.Control>
          <Accordion.Panel>
            <PreferenceSettings />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="security" data-tour="profile-security">
          <Accordion.Control>{t('profile.security')}</Accordion.Control>
          <Accordion.Panel>
            <SecuritySettings />
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
