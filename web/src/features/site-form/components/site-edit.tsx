import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { ReasonTooltip } from '@/components/reason-tooltip';
import { toast } from '@/components/toast';
import { useLeaveGuard } from '@/components/use-leave-guard';
import type { OrganizationType } from '@/lib/organization-types';
import { formatList } from '@/lib/format';
import { focusFirstInvalid } from '../focus.utils';
import type { SiteField } from '../site-form.schema';
import { useSiteEdit } from '../use-site-edit';
import { AboutFields } from './about-fields';
import { ContactFields } from './contact-fields';
import { IntakeFields } from './intake-fields';
import { ServicesFields } from './services-fields';
import { SiteDeletion } from './site-deletion';
import classes from './site-form.module.css';

interface SiteEditProps {
  site: Schemas['SiteDetails'];
  type: OrganizationType;
}

/** The form of a stored site (spec A section 2, Site edit page). */
export function SiteEdit({ site, type }: SiteEditProps) {
  const { t } = useTranslation(['site-form', 'common']);
  const navigate = useNavigate();
  const model = useSiteEdit(site);
  const mayDelete = useCan('site.delete', { site });
  const [isUploading, setUploading] = useState(false);
  const [isDeleted, setDeleted] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { isSaved, isUnsaved, refusal, faults, changedThere } = model;
  const guard = useLeaveGuard(isUnsaved && !isDeleted);
  const params = { organizationType: type, organizationId: site.organizationId };

  useEffect(() => {
    if (faults > 0 && form.current) focusFirstInvalid(form.current);
  }, [faults]);
  const toSite = () =>
    navigate({
      to: '/$organizationType/$organizationId/$siteId',
      params: { ...params, siteId: site.id },
      search: { tab: 'information' },
    });
  // Below the guard's own effect: by now it lets the page go.
  useEffect(() => {
    if (isDeleted) {
      toast.success(t('delete.done', { site: site.name }));
      void navigate({ to: '/$organizationType/$organizationId', params, replace: true });
    } else if (isSaved) {
      toast.success(t('edit.saved', { site: site.name }));
      void toSite();
    }
    // Once for each end of the work; the rest is there when it comes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isSaved, isDeleted]);

  return (
    <FormProvider {...model.form}>
      <form
        ref={form}
        noValidate
        aria-label={t('titleEdit')}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isUploading && isUnsaved) void model.submit();
        }}
      >
        <Stack gap="md">
          {changedThere.length > 0 ? (
            <StaleAlert fields={changedThere} onLoad={model.load} onKeep={model.keep} />
          ) : null}
          <AboutFields kind={model.kind} onUploading={setUploading} />
          <ContactFields kind={model.kind} />
          <IntakeFields />
          <ServicesFields
            kind={model.kind}
            organizationName={site.organizationName}
            organizationMethods={site.organizationReservationPaymentMethods}
            storedPeriod={site.screeningPeriod}
          />
          {refusal ? (
            <Alert color="red" role="alert">
              {refusal}
            </Alert>
          ) : null}
          <div className={classes.saveBar}>
            <Button variant="default" disabled={model.isBusy} onClick={() => void toSite()}>
              {t('edit.cancel')}
            </Button>
            <ReasonTooltip reason={isUnsaved || model.isBusy || isSaved ? null : t('edit.nothing')}>
              <Button type="submit" loading={model.isBusy} disabled={isUploading}>
                {t('edit.save')}
              </Button>
            </ReasonTooltip>
          </div>
        </Stack>
        {guard}
      </form>
      {mayDelete ? <SiteDeletion site={site} onDeleted={() => setDeleted(true)} /> : null}
    </FormProvider>
  );
}

interface StaleAlertProps {
  fields: readonly SiteField[];
  onLoad: () => void;
  onKeep: () => void;
}

/** Someone else changed the site: what, and the choice between the new record and what was typed. */
function StaleAlert({ fields, onLoad, onKeep }: StaleAlertProps) {
  const { t, i18n } = useTranslation('site-form');
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'center' });
  }, []);
  const names = [...new Set(fields.map((field) => t(`field.${field === 'placeId' ? 'address' : field}`)))];
  return (
    <Alert
      ref={box}
      color="yellow"
      role="alert"
      icon={<RefreshCw size={18} aria-hidden />}
      title={t('edit.stale.title')}
    >
      <Stack gap="sm">
        <Text>{t('edit.stale.text', { fields: formatList(names, i18n.language) })}</Text>
        <Group gap="sm">
          <Button variant="default" onClick={onKeep}>
            {t('edit.stale.keep')}
          </Button>
          <Button variant="default" onClick={onLoad}>
            {t('edit.stale.load')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
