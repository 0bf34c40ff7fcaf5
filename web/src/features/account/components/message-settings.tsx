import { Alert, NativeSelect, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { ErrorState } from '@/components/error-state';
import { CheckboxGroupField } from '@/components/form/checkbox-group-field';
import { FormFrame } from '@/components/form/form-frame';
import { SwitchField } from '@/components/form/switch-field';
import { useSaveForm } from '@/components/form/use-save-form';
import { TableSkeleton } from '@/components/skeletons';
import { clockSlots, formatClock } from '@/lib/time';
import { type MessageSettings, messageSettingsQuery, useChooseMessages } from '../api/messages';

/** Where the quiet hours begin and end when they are turned on. */
const DEFAULT_FROM = '22:00:00';
const DEFAULT_UNTIL = '07:00:00';

const schema = z.object({
  places: z.array(z.string()),
  isQuiet: z.boolean(),
  quietFrom: z.string(),
  quietUntil: z.string(),
});

type Values = z.infer<typeof schema>;

/** For which places the user gets messages about reservations, and when not. */
export function MessageSettingsForm() {
  const { data, error, refetch } = useQuery(messageSettingsQuery);
  if (data) return <LoadedForm key={JSON.stringify(data)} settings={data} />;
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <TableSkeleton rows={3} />;
}

function LoadedForm({ settings }: { settings: MessageSettings }) {
  const { t, i18n } = useTranslation('messages');
  const choose = useChooseMessages();
  const form = useSaveForm<Values, void>({
    schema,
    labels: {
      places: t('places'),
      isQuiet: t('quiet'),
      quietFrom: t('quietFrom'),
      quietUntil: t('quietUntil'),
    },
    values: valuesOf(settings),
    save: async ({ places, isQuiet, quietFrom, quietUntil }) => {
      await choose.mutateAsync({
        receivesFor: places,
        quietFrom: isQuiet ? quietFrom : null,
        quietUntil: isQuiet ? quietUntil : null,
      });
    },
    done: () => t('saved'),
    onDone: (_, values) => form.startOver(values),
  });
  const isQuiet = form.watch('isQuiet');
  if (settings.places.length === 0) return <Text>{t('noPlaces')}</Text>;
  const times = slots().map((slot) => ({ value: slot, label: formatClock(slot, i18n.language) }));
  return (
    <FormFrame form={form} withoutCancel>
      <Text>{t('text')}</Text>
      {settings.hasStoppedSms ? (
        <Alert color="yellow" role="note">
          {t('stopped')}
        </Alert>
      ) : null}
      <CheckboxGroupField
        form={form}
        name="places"
        choices={settings.places.map(({ membershipId, name }) => ({ value: membershipId, label: name }))}
      />
      <SwitchField form={form} name="isQuiet" description={t('quietText')} />
      {isQuiet ? (
        <SimpleGrid cols={2} spacing="md" maw={360}>
          <NativeSelect size="md" data={times} {...form.field('quietFrom')} />
          <NativeSelect size="md" data={times} {...form.field('quietUntil')} />
        </SimpleGrid>
      ) : null}
    </FormFrame>
  );
}

/** Every half hour of the day. */
function slots(): string[] {
  return clockSlots().filter((slot) => slot !== '24:00:00');
}

function valuesOf({ places, quietFrom, quietUntil }: MessageSettings): Values {
  return {
    places: places.filter(({ receives }) => receives).map(({ membershipId }) => membershipId),
    isQuiet: quietFrom !== null,
    quietFrom: quietFrom ?? DEFAULT_FROM,
    quietUntil: quietUntil ?? DEFAULT_UNTIL,
  };
}
