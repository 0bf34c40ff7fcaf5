import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { FormFrame } from '@/components/form/form-frame';
import { lazyNamed } from '@/components/lazy-named';
import { SubmitButton } from '@/components/submit-button';
import type { OrganizationType } from '@/lib/organization-types';
import { type SiteWizardModel, useSiteWizard } from '../use-site-wizard';
import { AboutFields } from './about-fields';
import { ContactFields } from './contact-fields';
import { HousesFields } from './houses-fields';
import { IntakeFields } from './intake-fields';
import { ServicesFields } from './services-fields';
import classes from './site-form.module.css';
import { WizardSteps } from './wizard-steps';

/** Few people come back to a draft. */
const RestoredNote = lazyNamed(() => import('./restored-note'), 'RestoredNote');

interface SiteWizardProps {
  organization: Schemas['Organization'];
  type: OrganizationType;
}

/** A new site, step by step (spec A section 2, Add-site wizard). */
export function SiteWizard({ organization, type }: SiteWizardProps) {
  const { t } = useTranslation('site-form');
  const navigate = useNavigate();
  const model = useSiteWizard(organization, ({ id, organizationId }) => {
    void navigate({
      to: '/$organizationType/$organizationId/$siteId',
      params: { organizationType: type, organizationId, siteId: id },
      replace: true,
    });
  });
  const { form, opened, isLast } = model;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (opened === 0 || !box.current) return;
    box.current.querySelector<HTMLElement>('[data-step-heading]')?.focus({ preventScroll: true });
    box.current.scrollIntoView({ block: 'start' });
  }, [opened]);

  const foot = (
    <div className={classes.footer}>
      {model.step === model.steps[0] ? (
        <span />
      ) : (
        <Button variant="default" disabled={form.isSending} onClick={model.previous}>
          {t('wizard.previous')}
        </Button>
      )}
      <SubmitButton
        loading={form.isSending || form.isFinished}
        disabled={form.isUploading}
        // The second half of a double click would already mean the next step.
        onClick={(event) => {
          if (event.detail > 1) event.preventDefault();
        }}
      >
        {t(isLast ? 'wizard.save' : 'wizard.next')}
      </SubmitButton>
    </div>
  );
  return (
    <div ref={box} className={classes.wizard}>
      <FormFrame form={form} label={t('titleNew')} foot={foot} onSubmit={isLast ? undefined : model.next}>
        <div>
          <WizardSteps model={model} />
          {model.isRestored ? <RestoredNote onStartOver={model.startOver} /> : null}
        </div>
        <StepFields model={model} organization={organization} />
      </FormFrame>
    </div>
  );
}

function StepFields({ model, organization }: { model: SiteWizardModel; organization: Schemas['Organization'] }) {
  switch (model.step) {
    case 'about':
      return <AboutFields kind={model.kind} isHidden={organization.isDisabled} />;
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
