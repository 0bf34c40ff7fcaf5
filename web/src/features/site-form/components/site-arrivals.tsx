import { Switch, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useSaveArrivals } from '../api/save-arrivals';
import classes from './site-form.module.css';

interface SiteArrivalsProps {
  site: Pick<Schemas['SiteDetails'], 'id' | 'name' | 'asksArrival'>;
}

/** Whether the site asks if accepted guests have arrived; saved at once, apart from the form above. */
export function SiteArrivals({ site }: SiteArrivalsProps) {
  const { t } = useTranslation('site-form');
  const errorText = useErrorText();
  const { mutate, isPending, variables, error } = useSaveArrivals(site.id);
  const about = `site-arrivals:${site.id}`;
  const handleChange = (asksArrival: boolean) => {
    if (isPending) return;
    mutate(asksArrival, {
      onSuccess: () => toast.success(t(asksArrival ? 'arrivals.on' : 'arrivals.off', { site: site.name }), { about }),
      onError: (refusal) => toast.error(errorText(refusal), { about }),
    });
  };
  return (
    <section className={`${classes.section} ${classes.apart}`} aria-labelledby="site-arrivals">
      <Title order={2} id="site-arrivals" size="h3">
        {t('arrivals.title')}
      </Title>
      <Switch
        label={t('arrivals.switch')}
        description={t('arrivals.hint')}
        checked={isPending ? variables : site.asksArrival}
        aria-busy={isPending}
        error={error ? errorText(error) : undefined}
        onChange={(event) => handleChange(event.currentTarget.checked)}
      />
    </section>
  );
}
