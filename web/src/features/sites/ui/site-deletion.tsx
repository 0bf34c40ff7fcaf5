import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { useDeleteSite } from '../api/delete-site';
import classes from './site-deletion.module.css';

interface SiteDeletionProps {
  site: Pick<Schemas['SiteDetails'], 'id' | 'name' | 'isCommercial'>;
  onDeleted: () => void;
}

/** Deletes the site, after the word was typed; a refusal is shown in the question. */
export function SiteDeletion({ site, onDeleted }: SiteDeletionProps) {
  const { t } = useTranslation('sites');
  const deletion = useDeleteSite();
  const [isOpen, setOpen] = useState(false);

  return (
    <section className={classes.section} aria-labelledby="delete-site">
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
      <ConfirmMutation
        danger
        removes
        subject={isOpen}
        title={t('delete.title')}
        confirmLabel={t('delete.button')}
        needsWord
        run={() => deletion.mutateAsync(site.id)}
        done={() => t('delete.done', { site: site.name })}
        onDone={onDeleted}
        onClose={() => setOpen(false)}
      >
        <Text>{t('delete.question', { name: site.name })}</Text>
        {site.isCommercial ? <Text>{t('delete.subscription')}</Text> : null}
      </ConfirmMutation>
    </section>
  );
}
