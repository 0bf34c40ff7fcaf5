import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { fileAddress } from '@/lib/files';
import { Dialog } from '@/components/dialog/dialog';
import classes from './guest-facts.module.css';

type Side = 'front' | 'back';

interface InsuranceCardsProps {
  guest: Pick<Schemas['Guest'], 'insuranceCardFront' | 'insuranceCardBack'>;
}

/** Pictures of the insurance card, where there are any and the user may see them; a press shows one large. */
export function InsuranceCards({ guest }: InsuranceCardsProps) {
  const { t } = useTranslation('guests');
  const [large, setLarge] = useState<Side | null>(null);
  const [failed, setFailed] = useState(false);
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
            onClick={() => setLarge(side)}
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
      <Dialog subject={large} width={800} title={(side) => t(`card.${side}`)} onClose={() => setLarge(null)}>
        {(side) => <img className={classes.large} src={addresses[side]} alt={t(`card.${side}`)} />}
      </Dialog>
    </>
  );
}
