import { useTranslation } from 'react-i18next';
import type { SiteField } from './site-form.schema';

/** Returns the labels of the site form. */
export function useSiteLabels(): Record<SiteField, string> {
  const { t } = useTranslation('site-form');
  return {
    name: t('field.name'),
    alias: t('field.alias'),
    description: t('field.description'),
    images: t('field.images'),
    address: t('field.address'),
    placeId: t('field.address'),
    isDisabled: t('field.shown'),
    contactPhone: t('field.contactPhone'),
    contactWeb: t('field.contactWeb'),
    contactEmail: t('field.contactEmail'),
    adminFirstName: t('field.adminFirstName'),
    adminLastName: t('field.adminLastName'),
    adminEmail: t('field.adminEmail'),
    intakePeriods: t('field.intakePeriods'),
    rooms: t('field.rooms'),
    serviceIds: t('field.serviceIds'),
    languageIds: t('field.languageIds'),
    screeningPeriod: t('field.screeningPeriod'),
    nonCommercialPaymentMethodIds: t('field.nonCommercialPaymentMethodIds'),
    lengthOfStayDaysMax: t('field.lengthOfStayDaysMax'),
  };
}
