import { Alert, Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConfirmDialog } from '@/components/dialog/confirm-dialog';
import { FormFrame } from '@/components/form/form-frame';
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
      return <AboutFields kind={model.kind} />;
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
    <Alert color="blue" role="status" icon={<Check size={18} aria-hidden />}>
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
