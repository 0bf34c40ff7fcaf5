import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { useErrorText } from '@/components/use-error-text';
import { useDeleteSite } from '@/features/sites/api/delete-site';
import classes from './site-form.module.css';

/** What must be typed exactly (spec A section 9). */
const WORD = 'DELETE';

interface SiteDeletionProps {
  site: Pick<Schemas['SiteDetails'], 'id' | 'name'>;
  onDeleted: () => void;
}

/** Deletes the site, after the word was typed; a refusal is shown in the question. */
export function SiteDeletion({ site, onDeleted }: SiteDeletionProps) {
  const { t } = useTranslation('site-form');
  const errorText = useErrorText();
  const deletion = useDeleteSite();
  const [isOpen, setOpen] = useState(false);
  const [word, setWord] = useState('');

  const close = () => {
    setOpen(false);
    setWord('');
    deletion.reset();
  };
  const handleConfirm = () => {
    if (deletion.isPending || word !== WORD) return;
    deletion.mutate(site.id, {
      onSuccess: () => {
        setOpen(false);
        onDeleted();
      },
    });
  };

  return (
    <section className={classes.section} aria-labelledby="delete-site" style={{ marginTop: 32 }}>
      <Group justify="space-between" gap="md">
        <Stack gap={4} flex="1 1 320px">
          <Title order={2} id="delete-site" size="h3">
            {t('delete.title')}
          </Title>
          <Text className={classes.hint}>{t('delete.hint')}</Text>
        </Stack>
        <Button color="red" variant="outline" onClick={() => setOpen(true)}>
          {t('delete.button')}
        </Button>
      </Group>
      <ConfirmDialog
        opened={isOpen}
        title={t('delete.title')}
        confirmLabel={t('delete.button')}
        danger
        busy={deletion.isPending}
        error={deletion.error ? errorText(deletion.error) : null}
        confirmDisabled={word !== WORD}
        onConfirm={handleConfirm}
        onCancel={close}
      >
        <Text>{t('delete.question', { name: site.name })}</Text>
        <TextInput
          label={t('delete.word')}
          autoComplete="off"
          value={word}
          onChange={(event) => setWord(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') handleConfirm();
          }}
        />
      </ConfirmDialog>
    </section>
  );
}
