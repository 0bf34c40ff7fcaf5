import { Anchor, Card, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Mail, Phone } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '@/components/error-state';
import { PageHeader } from '@/components/page-header';
import { publicSettingsQuery } from '@/features/shell/api/public-settings';
import { formatPhone } from '@/lib/phone';
import classes from './legal.module.css';

/** A phone card and an email card (spec A section 1). */
export function ContactPage() {
  const { t } = useTranslation('faq');
  const { data, error, isPending, refetch } = useQuery(publicSettingsQuery);
  return (
    <div className={classes.page}>
      <PageHeader title={t('contact.title')} />
      <Text mb="lg">{t('contact.text')}</Text>
      {isPending ? <Skeleton height={140} radius="md" /> : null}
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        <div className={classes.cards}>
          {data.supportPhone ? (
            <Card>
              <Stack gap="xs">
                <Phone size={24} aria-hidden />
                <Text fw={600}>{t('contact.phone')}</Text>
                <Anchor href={`tel:${data.supportPhone}`} className="tabular">
                  {formatPhone(data.supportPhone) || data.supportPhone}
                </Anchor>
                <Text c="dimmed" size="sm">
                  {t('contact.phoneHint')}
                </Text>
              </Stack>
            </Card>
          ) : null}
          {data.contactEmail ? (
            <Card>
              <Stack gap="xs">
                <Mail size={24} aria-hidden />
                <Text fw={600}>{t('contact.email')}</Text>
                <Anchor href={`mailto:${data.contactEmail}`}>{data.contactEmail}</Anchor>
                <Text c="dimmed" size="sm">
                  {t('contact.emailHint')}
                </Text>
              </Stack>
            </Card>
          ) : null}
          {data.supportPhone || data.contactEmail ? null : <Text c="dimmed">{t('contact.none')}</Text>}
        </div>
      ) : null}
    </div>
  );
}
