import { Stack, Text, useComputedColorScheme } from '@mantine/core';
import { Elements } from '@stripe/react-stripe-js';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '@/components/dialog/dialog';
import { ErrorState } from '@/components/error-state';
import { TableSkeleton } from '@/components/skeletons';
import { usePublicSettings } from '@/features/shell/api/public-settings';
import { cardFormQuery } from '../api/card-form';
import { CardForm } from './card-form';

interface AddCardDialogProps {
  subject: boolean;
  organizationId: string;
  /** Whether it is the first one, which needs an email address. */
  isFirst: boolean;
  onClose: () => void;
  /** After the dialog has closed because the card was saved. */
  onSaved?: () => void;
}

/** Takes a card. Its number goes to the card provider alone; we never see it. */
export function AddCardDialog({ subject, ...form }: AddCardDialogProps) {
  const { t } = useTranslation('cards');
  return (
    <Dialog subject={subject} title={t('add.title')} onClose={form.onClose}>
      <Provider {...form} />
    </Dialog>
  );
}

/** The card provider's fields around the form. */
function Provider({ organizationId, isFirst, onClose, onSaved }: Omit<AddCardDialogProps, 'subject'>) {
  const { t, i18n } = useTranslation('cards');
  const isDark = useComputedColorScheme('light') === 'dark';
  const settings = usePublicSettings();
  const { data, error, refetch, isFetching } = useQuery({
    ...cardFormQuery(settings?.stripePublishableKey ?? '', settings?.testPayments ?? false),
    enabled: settings !== undefined,
  });
  const options = useMemo(
    () => ({
      mode: 'setup' as const,
      currency: 'usd',
      paymentMethodTypes: ['card'],
      locale: i18n.language === 'es' ? ('es' as const) : ('en' as const),
      appearance: { theme: isDark ? ('night' as const) : ('stripe' as const) },
    }),
    [i18n.language, isDark],
  );
  if (error && !isFetching) {
    return (
      <Stack gap="xs">
        <ErrorState error={error} onRetry={() => void refetch()} />
        <Text c="dimmed" size="sm" ta="center">
          {t('add.unreachable')}
        </Text>
      </Stack>
    );
  }
  if (!data) return <TableSkeleton rows={3} />;
  return (
    <Elements stripe={data} options={options}>
      <CardForm
        organizationId={organizationId}
        isFirst={isFirst}
        onDone={() => {
          onClose();
          onSaved?.();
        }}
      />
    </Elements>
  );
}
