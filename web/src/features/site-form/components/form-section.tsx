import { Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Step } from '../steps.utils';
import classes from './site-form.module.css';

interface FormSectionProps {
  step: Step;
  children: ReactNode;
}

/** One step of the wizard, one section of the edit page. Its heading takes the focus when the step opens. */
export function FormSection({ step, children }: FormSectionProps) {
  const { t } = useTranslation('site-form');
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id} data-step={step}>
      <div className={classes.head}>
        <Title order={2} id={id} tabIndex={-1} data-step-heading>
          {t(`step.${step}`)}
        </Title>
        <Text className={classes.hint}>{t(`hint.${step}`)}</Text>
      </div>
      {children}
    </section>
  );
}
