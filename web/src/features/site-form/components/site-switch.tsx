import { Switch, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { type SiteSwitchKind, useSaveSiteSwitch } from '../api/save-site-switch';
import classes from './site-form.module.css';

interface SiteSwitchProps {
  site: Pick<Schemas['SiteDetails'], 'id' | 'name'>;
  kind: SiteSwitchKind;
  isOn: boolean;
}

/** One setting of a site that is saved at once, apart from the form above. */
export function SiteSwitch({ site, kind, isOn }: SiteSwitchProps) {
  const { t } = useTranslation('site-form');
  const errorText = useErrorText();
  const { mutate, isPending, variables, error } = useSaveSiteSwitch(site.id, kind);
  const about = `site-${kind}:${site.id}`;
  const handleChange = (next: boolean) => {
    if (isPending) return;
    mutate(next, {
      onSuccess: () => toast.success(t(next ? `${kind}.on` : `${kind}.off`, { site: site.name }), { about }),
      onError: (refusal) => toast.error(errorText(refusal), { about }),
    });
  };
  return (
    <section className={`${classes.section} ${classes.apart}`} aria-labelledby={`site-${kind}`}>
      <Title order={2} id={`site-${kind}`} size="h3">
        {t(`${kind}.title`)}
      </Title>
      <Switch
        label={t(`${kind}.switch`)}
        description={t(`${kind}.hint`)}
        checked={isPending ? variables : isOn}
        aria-busy={isPending}
        error={error ? errorText(error) : undefined}
        onChange={(event) => handleChange(event.currentTarget.checked)}
      />
    </section>
  );
}
