import { Button } from '@mantine/core';
import { UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useCan } from '@/access/use-user';
import { ReasonTooltip } from '@/components/reason-tooltip';
import { hasFreePlace } from '../reservations.utils';

interface NewGuestButtonProps {
  site: Schemas['SiteDetails'];
  label: string;
  variant?: 'filled' | 'default';
  onOpen: () => void;
}

/** Opens the form; off with its reason while no bed is left; not there for staff (spec B sections 2, 4). */
export function NewGuestButton({ site, label, variant = 'filled', onOpen }: NewGuestButtonProps) {
  const { t } = useTranslation('reservations');
  const canAdd = useCan('guest.add', { site });
  if (!canAdd) return null;
  return (
    <ReasonTooltip reason={hasFreePlace(site.counts) ? null : t('full')}>
      <Button data-tour="add-guest" variant={variant} leftSection={<UserPlus size={18} aria-hidden />} onClick={onOpen}>
        {label}
      </Button>
    </ReasonTooltip>
  );
}
