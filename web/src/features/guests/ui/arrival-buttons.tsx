import { Button, type ButtonProps } from '@mantine/core';
import { CircleSlash, DoorOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useOpenCommand } from '../api/open-commands';
import { useArrive } from '../api/use-arrive';

interface ArrivalButtonsProps extends Pick<ButtonProps, 'size'> {
  /** A guest who is arriving. */
  guest: Schemas['Guest'];
  /** Asks whether the guest really did not come. */
  onNoShow: () => void;
}

/** *No show* and *Arrived*. For screens of those who may place guests. */
export function ArrivalButtons({ guest, onNoShow, size }: ArrivalButtonsProps) {
  const { t } = useTranslation('guests');
  const arrive = useArrive();
  const open = useOpenCommand(guest.id);
  const isArriving = open?.update?.status === 'ARRIVED';
  return (
    <>
      <Button
        size={size}
        variant="default"
        leftSection={<CircleSlash size={18} aria-hidden />}
        disabled={open !== undefined}
        aria-label={t('arrival.noShowLabel', { guest: guest.displayName })}
        onClick={onNoShow}
      >
        {t('arrival.noShow')}
      </Button>
      <Button
        size={size}
        leftSection={<DoorOpen size={18} aria-hidden />}
        // `loading` until the outcome is known: `disabled` would lose the focus.
        loading={isArriving}
        disabled={open !== undefined && !isArriving}
        aria-label={t('arrival.arrivedLabel', { guest: guest.displayName })}
        onClick={() => void arrive(guest)}
      >
        {t('arrival.arrived')}
      </Button>
    </>
  );
}
