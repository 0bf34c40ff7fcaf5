import { Button, Group, Stack, Text } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '@/components/dialog/dialog';
import { Picture, pictureUrl } from '@/components/picture';
import classes from './site-information.module.css';

interface SitePhotosProps {
  siteName: string;
  /** Paths, the cover first. */
  photos: readonly string[];
}

/** The photos of a site, the cover large; a press shows one as big as the window allows. */
export function SitePhotos({ siteName, photos }: SitePhotosProps) {
  const { t } = useTranslation('site-info');
  const [large, setLarge] = useState<number | null>(null);
  const nameOf = (index: number) =>
    index === 0
      ? t('cover', { site: siteName })
      : t('photo', { number: index + 1, count: photos.length, site: siteName });
  if (photos.length === 0) return <Text c="dimmed">{t('noPhotos')}</Text>;
  return (
    <>
      <ul className={classes.photos}>
        {photos.map((path, index) => (
          <li key={path}>
            <button
              type="button"
              className={classes.photo}
              aria-label={t('enlarge', { photo: nameOf(index) })}
              onClick={() => setLarge(index)}
            >
              <Picture path={path} alt="" width={480} height={320} isThumbnail={index > 0} isFluid />
              {index === 0 ? (
                <span className={classes.badge} aria-hidden>
                  {t('coverBadge')}
                </span>
              ) : null}
            </button>
          </li>
        ))}
      </ul>
      <Dialog subject={large} width={800} title={nameOf} onClose={() => setLarge(null)}>
        {(shown) => (
          <Stack gap="md">
            <img className={classes.large} src={pictureUrl(photos[shown])} alt={nameOf(shown)} />
            {photos.length > 1 ? (
              <Group justify="space-between">
                <Button
                  variant="default"
                  leftSection={<ChevronLeft size={18} aria-hidden />}
                  disabled={shown === 0}
                  onClick={() => setLarge(shown - 1)}
                >
                  {t('previous')}
                </Button>
                <Button
                  variant="default"
                  rightSection={<ChevronRight size={18} aria-hidden />}
                  disabled={shown === photos.length - 1}
                  onClick={() => setLarge(shown + 1)}
                >
                  {t('next')}
                </Button>
              </Group>
            ) : null}
          </Stack>
        )}
      </Dialog>
    </>
  );
}
