import { Text } from '@mantine/core';
import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { SiteWizardModel } from '../use-site-wizard';
import classes from './site-form.module.css';

/**
 * Where the wizard is: every step with its mark; those that may be opened are buttons. Not the kit's Stepper: that takes all
 * steps before the present one, and no other, as completed, and screen readers hear neither a list nor the present step.
 */
export function WizardSteps({ model }: { model: SiteWizardModel }) {
  const { t } = useTranslation('site-form');
  const { steps, step, passed } = model;
  return (
    <nav aria-label={t('wizard.steps')} data-tour="wizard-steps">
      <Text className={classes.hint} mb="xs">
        {t('wizard.position', { step: steps.indexOf(step) + 1, count: steps.length })}
      </Text>
      <ol className={classes.steps}>
        {steps.map((one, index) => {
          const isCurrent = one === step;
          const isPassed = passed.has(one);
          return (
            <li key={one} className={classes.step}>
              <button
                type="button"
                className={classes.stepButton}
                data-state={isPassed ? 'passed' : 'open'}
                aria-current={isCurrent ? 'step' : undefined}
                disabled={!isCurrent && !model.canOpen(one)}
                onClick={() => {
                  if (!isCurrent) void model.goTo(one);
                }}
              >
                <span className={classes.mark} aria-hidden>
                  {isPassed && !isCurrent ? <Check size={14} strokeWidth={3} /> : index + 1}
                </span>
                <span className={classes.stepName}>
                  {t(`step.${one}`)}
                  {isPassed ? <span className="berth-hidden">, {t('wizard.completed')}</span> : null}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
