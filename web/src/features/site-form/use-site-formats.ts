import { useTranslation } from 'react-i18next';
import { useCatalogNames } from '@/components/use-catalog-names';
import { formatList } from '@/lib/format';
import { formatPhone } from '@/lib/phone';
import { formatClock, isAllDay, parseSpan } from '@/lib/time';
import type { IntakeValue } from './intake.utils';
import type { SiteField, SiteFormValues } from './site-form.schema';

type Formats = { [Name in SiteField]?: (value: SiteFormValues[Name]) => string };

/** Returns formatters for the values of a site, for comparing two versions. */
export function useSiteFormats(): Formats {
  const { t, i18n } = useTranslation(['site-form', 'common']);
  const names = useCatalogNames();
  const list = (words: readonly string[]) => formatList(words, i18n.language);
  const entries = (ids: readonly string[], name: (entry: { id: string; name: string }) => string) =>
    list(ids.map((id) => name({ id, name: id })));
  const hours = ({ timePeriod, from, to }: IntakeValue) => {
    const clock = (text: string) => (text === '' ? '…' : formatClock(text, i18n.language));
    const times = isAllDay(from) ? t('intake.allDay') : `${clock(from)} – ${clock(to)}`;
    return `${t(`intake.period.${timePeriod}`)}: ${times}`;
  };
  return {
    contactPhone: formatPhone,
    images: (paths) => t('photos', { count: paths.length }),
    isDisabled: (isDisabled) => t(isDisabled ? 'common:conflict.off' : 'common:conflict.on'),
    intakePeriods: (periods) => list(periods.filter(({ enabled }) => enabled).map(hours)),
    serviceIds: (ids) => entries(ids, names.service),
    languageIds: (ids) => entries(ids, names.language),
    screeningPeriod: (span) => t('services.hours', { count: parseSpan(span) / 3600 }),
    nonCommercialPaymentMethodIds: (ids) => entries(ids, names.payment),
  };
}
