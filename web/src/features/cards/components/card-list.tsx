import { CreditCard, Star, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Refusal } from '@/components/refusal';
import { MenuButton } from '@/components/menu-button';
import { StatusBadge } from '@/components/status-badge';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useNow } from '@/components/use-now';
import { useMakeDefault } from '../api/save-card';
import { cardParts, isExpired, parseExpiry } from '../ui/card.utils';
import classes from './cards.module.css';
import { RemoveCard } from './remove-card';

type SavedCard = Schemas['SavedCard'];

interface CardListProps {
  organizationId: string;
  cards: readonly SavedCard[];
}

/** The saved cards with what can be done to each (spec B section 2, Credit cards page). */
export function CardList({ organizationId, cards }: CardListProps) {
  const { t } = useTranslation('cards');
  const errorText = useErrorText();
  const makeDefault = useMakeDefault(organizationId);
  const [leaving, setLeaving] = useState<SavedCard | null>(null);
  const [refusal, setRefusal] = useState<string>();

  const handleDefault = async (card: SavedCard) => {
    setRefusal(undefined);
    try {
      await makeDefault.mutateAsync(card.id);
      toast.success(t('done.default', cardParts(card)));
    } catch (error) {
      setRefusal(errorText(error));
    }
  };

  return (
    <>
      <Refusal mb="md" maw={720}>
        {refusal}
      </Refusal>
      <ul className={classes.list} aria-label={t('list')} data-tour="saved-cards">
        {cards.map((card) => (
          <li key={card.id} className={classes.card}>
            <CreditCard size={24} strokeWidth={1.5} aria-hidden className={classes.icon} />
            <CardWords card={card} />
            <span data-card-menu={card.id}>
              <MenuButton
                label={t('menu', cardParts(card))}
                entries={[
                  ...(card.isDefault
                    ? []
                    : [
                        {
                          label: t('action.makeDefault'),
                          icon: <Star size={16} aria-hidden />,
                          onSelect: () => void handleDefault(card),
                        },
                      ]),
                  {
                    label: t('action.delete'),
                    icon: <Trash2 size={16} aria-hidden />,
                    danger: true,
                    onSelect: () => setLeaving(card),
                  },
                ]}
              />
            </span>
          </li>
        ))}
      </ul>
      <RemoveCard organizationId={organizationId} subject={leaving} onClose={() => setLeaving(null)} />
    </>
  );
}

/** Brand, last four digits, until when it is good. */
function CardWords({ card }: { card: SavedCard }) {
  const { t } = useTranslation('cards');
  const now = useNow(60_000);
  const expiry = parseExpiry(card.formattedExpirationDate);
  return (
    <span className={classes.words}>
      <span className={classes.name}>
        {t('name', cardParts(card))}
        {card.isDefault ? <StatusBadge tone="brand">{t('default')}</StatusBadge> : null}
        {expiry && isExpired(expiry, new Date(now)) ? <StatusBadge tone="red">{t('expired')}</StatusBadge> : null}
      </span>
      {expiry ? (
        <span className={classes.more}>{t('expires', { date: card.formattedExpirationDate })}</span>
      ) : (
        <span className={classes.wrong}>{t('error.expiry')}</span>
      )}
    </span>
  );
}
