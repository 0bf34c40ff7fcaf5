import { Alert, Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Controller, type ControllerRenderProps, type Path, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { foreignLanguage } from '@/api/problem-words';
import { applyFieldErrors } from '@/api/field-errors';
import { ApiError } from '@/api/errors';
import { ErrorState } from '@/components/error-state';
import { PhoneInput } from '@/components/phone-input';
import { PageSkeleton } from '@/components/skeletons';
import { SubmitButton } from '@/components/submit-button';
import { useCatalogNames } from '@/components/use-catalog-names';
import { useErrorText } from '@/components/use-error-text';
import { serverNow } from '@/lib/clock';
import { zodResolver } from '@/lib/zod-resolver';
import { askForReservation } from '../api/public-changes';
import { siteQuery } from '../api/public-queries';
import {
  INSURANCE,
  RESERVATION_FIELDS,
  type ReservationValues,
  reservationSchema,
  toReservation,
} from '../find.schema';
import { go } from '../use-address';
import { useInvalidText } from '../use-invalid-text';
import { useKnownOutcome } from '../use-known-outcome';
import { newRequest, type Reservation } from '../use-reservation';
import classes from './find.module.css';
import { Heading } from './heading';
import { WaitingNotice } from './waiting-notice';

interface ReserveViewProps {
  siteId: string;
  reservation: Reservation;
}

/** How long until another code may be asked for, in milliseconds. */
export const RESEND_MILLISECONDS = 30_000;

/** The form of a reservation. */
export function ReserveView({ siteId, reservation }: ReserveViewProps) {
  const { data, error, refetch } = useQuery({ ...siteQuery(siteId), staleTime: 60_000 });
  if (data) return <ReserveForm site={data} reservation={reservation} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <PageSkeleton />;
}

function ReserveForm({ site, reservation }: { site: Schemas['PublicSiteDetails']; reservation: Reservation }) {
  const { t } = useTranslation('find');
  const text = useInvalidText();
  const errorText = useErrorText();
  const { send, isSending, waiting, isLeft } = useKnownOutcome();
  const [failure, setFailure] = useState<string>();
  const { setDraft, request, setRequest } = reservation;
  const form = useForm({
    resolver: zodResolver(reservationSchema(site)),
    mode: 'onTouched',
    defaultValues: reservation.valuesFor(site.id),
  });
  const { getValues } = form;
  // What was typed is still there after Back, and gone with the page.
  useEffect(() => () => setDraft({ siteId: site.id, values: getValues() }), [getValues, setDraft, site.id]);

  const handleSubmit = form.handleSubmit(async (values) => {
    setFailure(undefined);
    const body = toReservation(values, site);
    const last = request?.again;
    const isAlive = request !== undefined && Date.parse(request.codeExpiresAt) > serverNow();
    const same = isAlive && last && JSON.stringify(last.body) === JSON.stringify(body) ? last : undefined;
    const key = same?.key ?? crypto.randomUUID();
    try {
      const asked = await send((signal) => askForReservation(body, { key, signal }));
      if (!asked || isLeft()) return;
      const resendAt = same?.resendAt ?? serverNow() + RESEND_MILLISECONDS;
      const next = newRequest(body, asked, { siteId: site.id, key, resendAt });
      // The same answer once more: its code has been tried as often as before.
      const tried = request?.id === next.id ? request : next;
      setRequest({ ...next, confirmKey: tried.confirmKey, refusals: tried.refusals });
      go({ name: 'code', siteId: site.id }, { replace: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const rest = applyFieldErrors(form.setError, error, RESERVATION_FIELDS);
      setFailure(rest === undefined ? undefined : errorText(error));
    }
  });
  const count = Object.keys(form.formState.errors).length;
  return (
    <form noValidate onSubmit={(event) => void handleSubmit(event)}>
      <Stack gap="lg">
        <Stack gap="xs">
          <Heading>{t('form.title', { name: site.name })}</Heading>
          <Text>{t('form.intro')}</Text>
        </Stack>
        <Fields form={form} site={site} text={text} />
        {form.formState.isSubmitted && count > 0 ? (
          <Text c="var(--mantine-color-error)" role="alert">
            {t('form.errors', { count })}
          </Text>
        ) : null}
        {failure ? (
          <Alert color="red" role="alert" icon={<CircleAlert size={18} aria-hidden />} lang={foreignLanguage(failure)}>
            {failure}
          </Alert>
        ) : null}
        <WaitingNotice waiting={waiting} />
        <Group gap="sm">
          <SubmitButton loading={isSending}>{t('form.submit')}</SubmitButton>
          <Button variant="default" onClick={() => go({ name: 'site', siteId: site.id })}>
            {t('form.back')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Form = ReturnType<typeof useForm<ReservationValues>>;

interface FieldsProps {
  form: Form;
  site: Schemas['PublicSiteDetails'];
  text: (message: string | undefined) => string | undefined;
}

function Fields({ form, site, text }: FieldsProps) {
  const { t } = useTranslation('find');
  const names = useCatalogNames();
  const invalid = (name: keyof ReservationValues) => text(form.formState.errors[name]?.message);
  const of = (category: Schemas['ServiceCategory']) => site.choices.filter((choice) => choice.category === category);
  const select = (name: Path<ReservationValues>, label: string, choices: { value: string; label: string }[]) => (
    <NativeSelect
      {...form.register(name)}
      label={label}
      required
      data={[{ value: '', label: t('form.choose') }, ...choices]}
      error={invalid(name as keyof ReservationValues)}
    />
  );
  const named = (choices: readonly Schemas['Service'][]) =>
    choices.map((choice) => ({ value: choice.id, label: names.service(choice) }));
  const genders = of('Gender').map(({ id }) => ({ 'gender-male': '1', 'gender-female': '2' })[id] ?? '0');
  const isInsured = site.isCommercial && form.watch('paymentMethod') === INSURANCE;
  return (
    <>
      <Section title={t('form.you')}>
        <TextInput
          {...form.register('firstName')}
          label={t('form.firstName')}
          required
          autoComplete="given-name"
          error={invalid('firstName')}
        />
        <TextInput
          {...form.register('lastName')}
          label={t('form.lastName')}
          required
          autoComplete="off"
          error={invalid('lastName')}
        />
        <Controller
          control={form.control}
          name="phone"
          render={({ field }) => (
            <PhoneInput
              {...field}
              label={t('form.phone')}
              description={t('form.phoneHint')}
              required
              error={invalid('phone')}
            />
          )}
        />
        <TextInput
          {...form.register('email')}
          label={t('form.email')}
          type="email"
          required
          autoComplete="email"
          error={invalid('email')}
        />
        <TextInput
          {...form.register('location')}
          label={t('form.city')}
          maxLength={100}
          autoComplete="address-level2"
          error={invalid('location')}
        />
        {select(
          'gender',
          t('form.gender'),
          (['2', '1', '0'] as const)
            .filter((value) => genders.includes(value))
            .map((value) => ({ value, label: t(`gender.${value}`) })),
        )}
        {select('ageServiceId', t('form.age'), named(of('Age')))}
      </Section>
      <Section title={t('form.needs')}>
        <Controller
          control={form.control}
          name="serviceIds"
          render={({ field }) => (
            <>
              <ServiceChoices
                label={t('form.services')}
                choices={named(of('General'))}
                field={field}
                error={invalid('serviceIds')}
                isRequired
              />
              <ServiceChoices label={t('form.health')} choices={named(of('Disability'))} field={field} />
            </>
          )}
        />
        {site.isCommercial ? select('typeOfClientServiceId', t('form.client'), named(of('Client'))) : null}
      </Section>
      <Section title={t('form.paying')}>
        {site.isCommercial ? (
          select(
            'paymentMethod',
            t('form.payment'),
            site.paymentMethods.map((method) => ({ value: String(method.id), label: names.method(method) })),
          )
        ) : site.paymentOptions.length === 0 ? null : (
          <NativeSelect
            {...form.register('mediCalChoice')}
            label={t('form.payment')}
            data={[
              { value: '', label: t('form.choose') },
              ...site.paymentOptions.map((option) => ({ value: option.id, label: names.payment(option) })),
            ]}
            error={invalid('mediCalChoice')}
          />
        )}
        {isInsured ? (
          <>
            {select(
              'insuranceCompanyId',
              t('form.insurer'),
              site.insuranceCompanies.map(({ id, name }) => ({ value: id, label: name })),
            )}
            <TextInput
              {...form.register('policyNumber')}
              label={t('form.policyNumber')}
              maxLength={50}
              autoComplete="off"
              error={invalid('policyNumber')}
            />
            <TextInput
              {...form.register('groupNumber')}
              label={t('form.groupNumber')}
              maxLength={50}
              autoComplete="off"
              error={invalid('groupNumber')}
            />
          </>
        ) : null}
      </Section>
    </>
  );
}

interface ServiceChoicesProps {
  label: string;
  choices: readonly { value: string; label: string }[];
  field: ControllerRenderProps<ReservationValues, 'serviceIds'>;
  error?: string;
  isRequired?: boolean;
}

/** Some of the services, all of which are one field; nothing where there is nothing to choose. */
function ServiceChoices({ label, choices, field, error, isRequired }: ServiceChoicesProps) {
  if (choices.length === 0) return null;
  return (
    <Checkbox.Group label={label} withAsterisk={isRequired} value={field.value} onChange={field.onChange} error={error}>
      <Stack gap="xs" my="xs">
        {choices.map((choice, index) => (
          <Checkbox
            key={choice.value}
            ref={isRequired && index === 0 ? field.ref : undefined}
            value={choice.value}
            label={choice.label}
            onBlur={field.onBlur}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes.group}>
      <legend>{title}</legend>
      <Stack gap="md">{children}</Stack>
    </fieldset>
  );
}
