import { Button, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { fileAddress } from '@/lib/files';
import classes from './guest-facts.module.css';

type Side = 'front' | 'back';

interface InsuranceCardsProps {
  guest: Pick<Schemas['Guest'], 'insuranceCardFront' | 'insuranceCardBack'>;
  /** Tells whether a card is shown large: a dialog around must leave Escape to it meanwhile. */
  onZoom?: (isLarge: boolean) => void;
}

/** Pictures of the insurance card, where there are any and the user may see them; a press shows one large. */
export function InsuranceCards({ guest, onZoom }: InsuranceCardsProps) {
  const { t } = useTranslation(['guests', 'common']);
  const [large, setLarge] = useState<Side | null>(null);
  const [failed, setFailed] = useState(false);
  const zoom = (side: Side | null) => {
    setLarge(side);
    onZoom?.(side !== null);
  };
  const addresses = {
    front: fileAddress(guest.insuranceCardFront),
    back: fileAddress(guest.insuranceCardBack),
  };
  const sides = (['front', 'back'] as const).filter((side) => addresses[side] !== undefined);
  if (sides.length === 0) return null;
  return (
    <>
      <div className={classes.cards}>
        {sides.map((side) => (
          <button
            key={side}
            type="button"
            className={classes.card}
            aria-label={t('card.zoom', { card: t(`card.${side}`) })}
            onClick={() => zoom(side)}
          >
            <img
              className={classes.cardImage}
              src={addresses[side]}
              alt=""
              loading="lazy"
              onError={() => setFailed(true)}
            />
            <span className={classes.cardLabel}>{t(`card.${side}`)}</span>
          </button>
        ))}
      </div>
      {failed ? <Text c="dimmed">{t('card.failed')}</Text> : null}
      <Modal.Root opened={large !== null} onClose={() => zoom(null)} size="xl" centered>
        <Modal.Overlay />
        <Modal.Content aria-label={large ? t(`card.${large}`) : ''}>
          <Modal.Body p="md">
            {large ? (
              <Stack gap="md">
                <img className={classes.large} src={addresses[large]} alt={t(`card.${large}`)} />
                <Button variant="default" onClick={() => zoom(null)} data-autofocus>
                  {t('common:action.close')}
                </Button>
              </Stack>
            ) : null}
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </>
  );
}
