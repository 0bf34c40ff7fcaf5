import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { FormFrame } from '@/components/form/form-frame';
import { useSaveForm } from '@/components/form/use-save-form';
import { lazyNamed } from '@/components/lazy-named';
import { ReasonTooltip } from '@/components/reason-tooltip';
import { SubmitButton } from '@/components/submit-button';
import type { OrganizationType } from '@/lib/organization-types';
import { useEditSite } from '../api/save-site';
import { placeOfField } from '../field-places.utils';
import { siteFormSchema } from '../site-form.schema';
import { fromSite, isSameInSite, toSiteEdit } from '../site-payload.utils';
import { useSiteFormats } from '../use-site-formats';
import { useSiteLabels } from '../use-site-labels';
import { AboutFields } from './about-fields';
import { ContactFields } from './contact-fields';
import { IntakeFields } from './intake-fields';
import { ServicesFields } from './services-fields';
import { SiteSwitch } from './site-switch';
import classes from './site-form.module.css';

/** Below the whole form, and few people come for it. */
const SiteDeletion = lazyNamed(() => import('@/features/sites/ui/site-deletion'), 'SiteDeletion', { optional: true });

interface SiteEditProps {
  site: Schemas['SiteDetails'];
  type: OrganizationType;
}

/** The form of a stored site (spec A section 2, Site edit page). */
export function SiteEdit({ site, type }: SiteEditProps) {
  const { t } = useTranslation('site-form');
  const navigate = useNavigate();
  const mayDelete = useCan('site.delete', { site });
  const { mutateAsync } = useEditSite(site);
  const params = { organizationType: type, organizationId: site.organizationId };
  const toSite = () =>
    void navigate({
      to: '/$organizationType/$organizationId/$siteId',
      params: { ...params, siteId: site.id },
      search: { tab: 'information' },
    });

  const kind = useMemo(
    () => ({ isCommercial: site.isCommercial, isNew: false, storedAddress: site.address }),
    [site.isCommercial, site.address],
  );
  const form = useSaveForm({
    schema: useMemo(() => siteFormSchema(kind), [kind]),
    labels: useSiteLabels(),
    values: useMemo(() => fromSite(site), [site]),
    version: site.editVersion,
    save: (values, { version = site.editVersion }) =>
      mutateAsync(toSiteEdit(values, { ...site, editVersion: version })),
    done: ({ name }) => t('edit.saved', { site: name }),
    onDone: toSite,
    names: placeOfField,
    format: useSiteFormats(),
    pictures: { images: 'site_' },
    isSame: isSameInSite,
    together: ['address', 'placeId'],
  });
  const nothing = form.isChanged || form.isSending || form.isFinished ? null : t('edit.nothing');
  const foot = (
    <div className={classes.saveBar}>
      <Button variant="default" disabled={form.isSending} onClick={toSite}>
        {t('edit.cancel')}
      </Button>
      <ReasonTooltip reason={nothing}>
        <SubmitButton loading={form.isSending} disabled={form.isUploading}>
          {t(form.conflicts.length > 0 ? 'edit.showConflict' : 'edit.save')}
        </SubmitButton>
      </ReasonTooltip>
    </div>
  );
  const handleDeleted = () => {
    form.release();
    void navigate({ to: '/$organizationType/$organizationId', params, replace: true });
  };

  return (
    <>
      <FormFrame form={form} label={t('titleEdit')} blockedReason={nothing} foot={foot}>
        <AboutFields kind={kind} isHidden={site.organizationIsDisabled} />
        <ContactFields kind={kind} />
        <IntakeFields />
        <ServicesFields
          kind={kind}
          organizationName={site.organizationName}
          organizationMethods={site.organizationReservationPaymentMethods}
          storedPeriod={site.screeningPeriod}
        />
      </FormFrame>
      <SiteSwitch kind="arrivals" site={site} isOn={site.asksArrival} />
      <SiteSwitch kind="placement" site={site} isOn={site.strictPlacement} />
      {mayDelete ? <SiteDeletion site={site} onDeleted={handleDeleted} /> : null}
    </>
  );
}
