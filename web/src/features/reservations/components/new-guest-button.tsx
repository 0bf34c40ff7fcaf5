import { Button } from '@mantine/core';
import { UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useCan } from '@/access/use-user';
import { ReasonTooltip } from '@/components/reason-tooltip';
import { useGuestPlace } from '../use-guest-place';

interface NewGuestButtonProps {
  site: Schemas['SiteDetails'];
  label: string;
  variant?: 'filled' | 'default';
  onOpen: () => void;
}

/**
 * Opens the form; off with its reason while no bed is left; not there for staff (spec B sections 2, 4). Who may add a
 * walk-in over held capacity finds it on while a bed is vacant: the form then asks for a reason.
 */
export function NewGuestButton({ site, label, variant = 'filled', onOpen }: NewGuestButtonProps) {
  const { t } = useTranslation('reservations');
  const canAdd = useCan('guest.add', { site });
  const place = useGuestPlace(site);
  if (!canAdd) return null;
  return (
    <ReasonTooltip reason={place === 'full' ? t('full') : null}>
      <Button
        data-tour="add-guest"
        data-shortcut="n"
        variant={variant}
        leftSection={<UserPlus size={18} aria-hidden />}
        onClick={onOpen}
      >
        {place === 'walk-in' ? t('addNewGuest') : label}
      </Button>
    </ReasonTooltip>
  );
}
