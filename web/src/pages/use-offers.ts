import { useDocumentVisibility } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { can } from '@/access/can';
import { useUser } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { toast } from '@/components/toast';
import { unheardOffers } from '@/features/alerts/api/heard';
import { useAlert } from '@/features/alerts/api/use-alert';
import { todayQuery } from '@/features/today/api/today-query';

const TOPIC = 'offers';

type TodaySite = Schemas['TodaySite'];

/**
 * Tells of a bed that is offered to somebody on a waitlist, where the user may place guests: the person has to be called
 * before the offer ends. Offers that were open when the list was first seen are no news; Today shows them.
 */
export function useOffers(): void {
  const user = useUser();
  const { t } = useTranslation(['alerts', 'shell']);
  const router = useRouter();
  const { navigate } = router;
  const alert = useAlert();
  const isHidden = useDocumentVisibility() === 'hidden';
  const { data: today } = useQuery({ ...todayQuery(false, {}), refetchIntervalInBackground: true });
  /** When the newest offer of each site was made, as far as it was told. */
  const told = useRef<ReadonlyMap<string, string>>(undefined);

  useEffect(() => {
    if (!today) return;
    const sites = today.sites.filter((site) => can(user, 'guest.accept', { site }));
    const textOf = (news: readonly TodaySite[]) => {
      const [first, ...others] = news;
      return first && others.length === 0
        ? t('offers.made', { site: first.name })
        : t('offers.madeMany', { count: news.length });
    };
    const before = told.current;
    const news = before ? sites.filter(({ id, offeredAt }) => offeredAt && offeredAt > (before.get(id) ?? '')) : [];
    const unheard = unheardOffers(news.map(({ id, offeredAt }) => `${id} ${offeredAt}`));
    void alert(
      TOPIC,
      news.filter(({ id, offeredAt }) => unheard.includes(`${id} ${offeredAt}`)),
      textOf,
    );
    // Nobody sees a message in a hidden tab. It is shown when the user is back.
    if (isHidden && before) return;
    told.current = new Map(sites.map(({ id, offeredAt }) => [id, offeredAt ?? before?.get(id) ?? '']));
    // The waitlist of a site shows its offers itself, and a message would cover them.
    const unseen = news.filter(({ id }) => router.state.location.pathname !== `/waitlist/${id}`);
    const [first, ...others] = unseen;
    if (!first) return;
    const onAction = () =>
      void (others.length === 0
        ? navigate({ to: '/waitlist/$siteId', params: { siteId: first.id } })
        : navigate({ to: '/today' }));
    toast.news(textOf(unseen), { about: TOPIC, action: { label: t('shell:arrivals.show'), onAction } });
  }, [today, user, isHidden, alert, router, navigate, t]);
}
