import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConfirmDialog } from '@/components/dialog/confirm-dialog';
import { toast } from '@/components/toast';
import { useLeaveGuard } from '@/components/use-leave-guard';
import type { OrganizationType } from '@/lib/organization-types';
import { focusFirstInvalid } from '../focus.utils';
import { type SiteWizardModel, useSiteWizard } from '../use-site-wizard';
import { AboutFields } from './about-fields';
import { ContactFields } from './contact-fields';
import { HousesFields } from './houses-fields';
import { IntakeFields } from './intake-fields';
import { ServicesFields } from './services-fields';
import classes from './site-form.module.css';
import { WizardSteps } from './wizard-steps';

interface SiteWizardProps {
  organization: Schemas['Organization'];
  type: OrganizationType;
}

/** A new site, step by step (spec A section 2, Add-site wizard). */
export function SiteWizard({ organization, type }: SiteWizardProps) {
  const { t } = useTranslation(['site-form', 'common']);
  const navigate = useNavigate();
  const model = useSiteWizard(organization);
  const [isUploading, setUploading] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { created, isUnsaved, refusal, focusWish } = model;
  const guard = useLeaveGuard(isUnsaved, { text: t('wizard.leave'), onLeave: model.discard });

  useEffect(() => {
    if (!focusWish || !form.current) return;
    if (focusWish.to === 'fault' && focusFirstInvalid(form.current)) return;
    const heading = form.current.querySelector<HTMLElement>('[data-step-heading]');
    heading?.focus({ preventScroll: true });
    form.current.scrollIntoView({ block: 'start' });
  }, [focusWish]);
  // Below the guard's own effect: by now it lets the page go.
  useEffect(() => {
    if (!created) return;
    const { id, name, organizationId } = created;
    toast.success(t('wizard.created', { site: name, email: model.form.getValues('adminEmail') }));
    void navigate({
      to: '/$organizationType/$organizationId/$siteId',
      params: { organizationType: type, organizationId, siteId: id },
      replace: true,
    });
    // Once: what it needs is there when the site is.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [created]);

  return (
    <FormProvider {...model.form}>
      <form
        ref={form}
        noValidate
        aria-label={t('titleNew')}
        style={{ scrollMarginTop: '5rem' }}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isUploading) void model.submit();
        }}
      >
        <WizardSteps model={model} />
        <Stack gap="md">
          {model.isRestored ? <RestoredNote onStartOver={model.startOver} /> : null}
          <StepFields model={model} organization={organization} onUploading={setUploading} />
          {refusal ? (
            <Alert color="red" role="alert">
              {refusal}
            </Alert>
          ) : null}
          <div className={classes.footer}>
            {model.step === model.steps[0] ? (
              <span />
            ) : (
              <Button variant="default" disabled={model.isBusy} onClick={model.previous}>
                {t('wizard.previous')}
              </Button>
            )}
            <Button
              type="submit"
              loading={model.isBusy}
              disabled={isUploading}
              // The second half of a double click would already mean the next step.
              onClick={(event) => {
                if (event.detail > 1) event.preventDefault();
              }}
            >
              {t(model.isLast ? 'wizard.save' : 'wizard.next')}
            </Button>
          </div>
        </Stack>
        {guard}
      </form>
    </FormProvider>
  );
}

function StepFields({
  model,
  organization,
  onUploading,
}: {
  model: SiteWizardModel;
  organization: Schemas['Organization'];
  onUploading: (isUploading: boolean) => void;
}) {
  switch (model.step) {
    case 'about':
      return <AboutFields kind={model.kind} onUploading={onUploading} />;
    case 'contacts':
      return <ContactFields kind={model.kind} />;
    case 'intake':
      return <IntakeFields />;
    case 'houses':
      return <HousesFields />;
    case 'services':
      return (
        <ServicesFields
          kind={model.kind}
          organizationName={organization.name}
          organizationMethods={organization.reservationPaymentMethods}
        />
      );
  }
}

/** Says that a draft came back, and offers to throw it away. */
function RestoredNote({ onStartOver }: { onStartOver: () => void }) {
  const { t } = useTranslation('site-form');
  const [isAsking, setAsking] = useState(false);
  return (
    <Alert color="blue" role="status" icon={<History size={18} aria-hidden />}>
      <Group justify="space-between" gap="sm">
        <Text>{t('wizard.restored')}</Text>
        <Button variant="default" size="compact-md" onClick={() => setAsking(true)}>
          {t('wizard.startOver')}
        </Button>
      </Group>
      <ConfirmDialog
        subject={isAsking}
        title={t('wizard.startOverTitle')}
        confirmLabel={t('wizard.startOver')}
        danger
        onConfirm={() => {
          setAsking(false);
          onStartOver();
        }}
        onCancel={() => setAsking(false)}
      >
        <Text>{t('wizard.leave')}</Text>
      </ConfirmDialog>
    </Alert>
  );
}
