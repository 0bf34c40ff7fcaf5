import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '@/components/page-header';
import classes from './legal.module.css';

/** Short answers to what people ask first. */
export function FaqPage() {
  const { t } = useTranslation('faq');
  return (
    <div className={classes.page}>
      <PageHeader title={t('title')} />
      {t('questions', { returnObjects: true }).map(({ question, answer }) => (
        <details key={question} className={classes.question}>
          <summary>{question}</summary>
          <p>{answer}</p>
        </details>
      ))}
      <Text mt="lg">
        {t('more')}{' '}
        <Anchor underline="always" renderRoot={(props) => <Link to="/contact-us" {...props} />}>
          {t('contact.title')}
        </Anchor>
      </Text>
    </div>
  );
}
