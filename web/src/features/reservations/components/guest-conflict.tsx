import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConflictNotice } from '@/components/form/conflict-notice';
import { useCatalogNames } from '@/components/use-catalog-names';
import { useBedTexts } from '@/features/houses/ui/use-bed-texts';
import { formatPhone } from '@/lib/phone';
import type { NewGuestValues } from '../new-guest.schema';
import { paymentMethods } from '../offer.utils';
import type { NewGuestModel } from '../use-new-guest';

const PICTURES = { insuranceCardFront: 'card_', insuranceCardBack: 'card_' } as const;

interface GuestConflictProps {
  model: NewGuestModel;
  site: Schemas['SiteDetails'];
  services: Schemas['ServiceGroups'];
}

/** Shows what someone else saved of the guest and what was typed here, and lets the user choose. */
export function GuestConflict({ model, site, services }: GuestConflictProps) {
  const { conflicts, isBusy, saveMine, takeTheirs, refusal, dismissRefusal } = model;
  const { formState } = model.form;
  const labels = useLabels();
  const format = useFormat(site, services);
  const sending = { isSending: isBusy, refusal, setRefusal: dismissRefusal };
  return (
    <ConflictNotice
      form={{ conflicts, labels, format, pictures: PICTURES, saveMine, takeTheirs, formState, ...sending }}
    />
  );
}

/** The labels of the fields, as in the form. */
function useLabels(): Readonly<Record<keyof NewGuestValues, string>> {
  const { t } = useTranslation('reservations');
  return {
    firstName: t('form.firstName'),
    lastName: t('form.lastName'),
    gender: t('form.gender'),
    ageServiceId: t('form.age'),
    phone: t('form.phone'),
    email: t('form.email'),
    language: t('form.language'),
    location: t('form.city'),
    serviceIds: t('form.needs'),
    typeOfClientServiceId: t('form.typeOfClient'),
    paymentMethod: t('form.paymentMethod'),
    insuranceCompanyId: t('form.insuranceCompany'),
    policyNumber: t('form.policyNumber'),
    groupNumber: t('form.groupNumber'),
    mediCalChoice: t('form.mediCal'),
    insuranceCardFront: t('form.cardFront'),
    insuranceCardBack: t('form.cardBack'),
    allowNotServed: t('form.allowNotServed'),
    overCapacityReason: t('form.reason'),
    bedType: t('waitlist.add.type'),
    priorityReason: t('waitlist.add.reason'),
  };
}

type Format = Readonly<Record<string, ((value: never) => string) | undefined>>;

/** How the values of fields are shown that hold ids and codes. */
function useFormat(site: Schemas['SiteDetails'], services: Schemas['ServiceGroups']): Format {
  const { t, i18n } = useTranslation(['reservations', 'guests', 'shell']);
  const names = useCatalogNames();
  const beds = useBedTexts();
  const known = Object.values(services).flat();
  const service = (id: string) => known.filter((one) => one.id === id).map(names.service)[0] ?? id;
  const named = (id: string, items: readonly { id: string; name: string }[]) =>
    items.find((item) => item.id === id)?.name ?? id;
  return {
    gender: (gender: 'Male' | 'Female' | 'Other') => t(`guests:gender.${gender}`),
    ageServiceId: service,
    typeOfClientServiceId: service,
    serviceIds: (ids: readonly string[]) => new Intl.ListFormat(i18n.language).format(ids.map(service)),
    phone: formatPhone,
    language: (language: 'en' | 'es') => t(`shell:language.${language}`),
    paymentMethod: (id: string) =>
      paymentMethods(site)
        .filter((one) => String(one.id) === id)
        .map(names.method)[0] ?? '',
    insuranceCompanyId: (id: string) => named(id, site.insuranceCompanies),
    mediCalChoice: (id: string) => (id === '' ? t('form.notChosen') : names.payment({ id, name: id })),
    bedType: (type: NewGuestValues['bedType']) => (type === null ? t('waitlist.add.anyBed') : beds.type(type)),
  };
}
