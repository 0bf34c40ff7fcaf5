import { Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Languages, Moon, Sun } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { changeLanguage } from '@/i18n/i18n';
import type { Language } from '@/lib/preferences';

interface PreferenceButtonsProps {
  wide?: boolean;
  /** Where a choice of language goes; without it the page alone switches. */
  onLanguage?: (language: Language) => void;
}

/** Light or dark, English or Spanish. Each button says what pressing it brings. */
export function PreferenceButtons({ wide = false, onLanguage }: PreferenceButtonsProps) {
  const { t, i18n } = useTranslation('shell');
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const other = i18n.language === 'es' ? 'en' : 'es';
  const look = {
    variant: 'subtle',
    color: 'gray',
    justify: wide ? 'flex-start' : 'center',
    px: 'xs',
    size: wide ? 'md' : 'sm',
  } as const;
  return (
    <>
      <Button
        {...look}
        lang={other}
        leftSection={<Languages size={18} aria-hidden />}
        onClick={() => (onLanguage ? onLanguage(other) : void changeLanguage(other))}
        data-tour="language"
      >
        {t(`language.${other}`)}
      </Button>
      <Button
        {...look}
        aria-label={t(scheme === 'dark' ? 'scheme.toLight' : 'scheme.toDark')}
        onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
        leftSection={
          wide ? scheme === 'dark' ? <Sun size={18} aria-hidden /> : <Moon size={18} aria-hidden /> : undefined
        }
        data-tour="scheme"
      >
        {wide ? (
          t(scheme === 'dark' ? 'scheme.toLight' : 'scheme.toDark')
        ) : scheme === 'dark' ? (
          <Sun size={18} aria-hidden />
        ) : (
          <Moon size={18} aria-hidden />
        )}
      </Button>
    </>
  );
}
