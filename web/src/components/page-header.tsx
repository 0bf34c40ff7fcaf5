import { Anchor, Title } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { setDocumentTitle } from '@/lib/document-title';
import classes from './page-header.module.css';

/** One step of the way here; the last one has no link. */
export interface Crumb {
  label: string;
  link?: Pick<LinkProps, 'to' | 'params' | 'search'>;
}

interface PageHeaderProps {
  title: string;
  /** For the browser's tab where it must differ from the heading: names of guests stay out of it. */
  documentTitle?: string;
  breadcrumbs?: readonly Crumb[];
  icon?: ReactNode;
  badge?: ReactNode;
  counts?: ReactNode;
  actions?: ReactNode;
}

/** Heading, way here, big numbers and actions of a screen. The heading receives the focus after navigation. */
export function PageHeader({ title, documentTitle, breadcrumbs, icon, badge, counts, actions }: PageHeaderProps) {
  const { t } = useTranslation();
  useEffect(() => {
    setDocumentTitle(`${documentTitle ?? title} · Berth`);
  }, [documentTitle, title]);
  return (
    <header className={classes.header}>
      {breadcrumbs && breadcrumbs.length > 0 ? (
        <nav aria-label={t('breadcrumb')} data-tour="way">
          <ol className={classes.crumbs}>
            {breadcrumbs.map((crumb, index) => (
              <li key={crumb.label} className={classes.crumb}>
                {crumb.link ? (
                  <Anchor data-touch renderRoot={(props) => <Link {...props} {...crumb.link} />} inherit>
                    {crumb.label}
                  </Anchor>
                ) : (
                  <span aria-current={index === breadcrumbs.length - 1 ? 'page' : undefined}>{crumb.label}</span>
                )}
              </li>
            ))}
          </ol>
        </nav>
      ) : null}
      <div className={classes.row}>
        <div className={classes.title}>
          {icon}
          <Title order={1} tabIndex={-1} className={classes.heading} data-page-heading>
            {title}
          </Title>
          {badge}
        </div>
        {counts || actions ? (
          <div className={classes.side}>
            {counts}
            {actions ? (
              <div className={classes.actions} data-print="hide" data-tour="actions">
                {actions}
              </div>
            ) : null}
          </div>
        ) : null}
      </div>
    </header>
  );
}
