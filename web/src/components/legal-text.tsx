import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** One of the long texts written by us: the chapters are in the `legal` texts, which load with it. */
export function LegalText({ document }: { document: 'terms' | 'agreement' | 'privacy' }) {
  // This namespace is long and belongs to no route alone, so the component itself asks for it.
  const { t, i18n, ready } = useTranslation('legal');
  if (!ready) return null;
  const sections = t(`${document}.sections`, { returnObjects: true });
  return (
    <Stack gap="md">
      <Text c="dimmed" size="sm">
        {t('dated')}
      </Text>
      {i18n.language === 'en' ? null : <Text fw={600}>{t('englishPrevails')}</Text>}
      <Text>{t(`${document}.intro`)}</Text>
      {sections.map((section, index) => (
        <section key={section.heading}>
          <Text component="h3" fw={650} m={0} mb={4}>
            {`${index + 1}. ${section.heading}`}
          </Text>
          <Stack gap="xs">
            {section.paragraphs.map((paragraph) => (
              <Text key={paragraph}>{paragraph}</Text>
            ))}
          </Stack>
        </section>
      ))}
    </Stack>
  );
}
