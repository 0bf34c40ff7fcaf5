import { Alert, Button, FileButton, Group, Input, Stack, Text } from '@mantine/core';
import { CircleAlert, ImageUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, NotFoundError } from '@/api/errors';
import { placeFieldErrors } from '@/api/field-errors';
import { foreignLanguage } from '@/api/problem-words';
import { ACCEPTED, problemOf } from '@/components/images-input.utils';
import { useErrorText } from '@/components/use-error-text';
import { shrinkPhoto } from '@/lib/shrink-photo';
import { formatDateTime } from '@/lib/time';
import { addCardPictures } from '../api/public-changes';
import { CARD_SIDES, type CardSide, type CardUpload } from '../card-upload';
import classes from './find.module.css';

interface CardPicturesProps {
  cards: CardUpload;
  /** Milliseconds since the epoch. */
  now: number;
  onSent: (sides: CardSide[]) => void;
}

/** A photo that was chosen and not sent yet. */
interface Chosen {
  file: File;
  address: string;
}

/**
 * Takes pictures of both sides of the insurance card for a reservation that was just made. The photos stay in the memory of this
 * page until they are sent (docs/decisions/0034).
 */
export function CardPictures({ cards, now, onSent }: CardPicturesProps) {
  const { t, i18n } = useTranslation('find');
  const errorText = useErrorText();
  const [chosen, setChosen] = useState<Partial<Record<CardSide, Chosen>>>({});
  const [errors, setErrors] = useState<Partial<Record<CardSide, string>>>({});
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [isOver, setOver] = useState(false);
  const status = useRef<HTMLParagraphElement>(null);
  const sides = CARD_SIDES.filter((side) => chosen[side]);
  const [firstSent] = cards.sent;
  const sentText =
    cards.sent.length === CARD_SIDES.length ? t('cards.sentBoth') : firstSent && t(`cards.sides.${firstSent}`);
  const isClosed = isOver || now >= cards.until;

  const handleChoose = async (side: CardSide, picked: File | null) => {
    if (!picked || isSending) return;
    const kind = problemOf({ name: picked.name, type: picked.type, size: 0 });
    const file = kind ? picked : await shrinkPhoto(picked);
    const problem = kind ?? problemOf(file);
    setFailure(undefined);
    setErrors((before) => ({
      ...before,
      [side]: problem ? t(problem === 'size' ? 'cards.problem.size' : 'cards.problem.type') : undefined,
    }));
    setChosen((before) => ({
      ...before,
      [side]: problem ? undefined : { file, address: URL.createObjectURL(file) },
    }));
  };

  const handleSend = async () => {
    if (isSending) return;
    setFailure(undefined);
    if (sides.length === 0) {
      setErrors({ front: t('cards.problem.none') });
      document.getElementById(buttonId('front'))?.focus();
      return;
    }
    setSending(true);
    try {
      await addCardPictures(cards.id, { front: chosen.front?.file, back: chosen.back?.file });
      setErrors({});
      setChosen({});
      onSent(sides);
      status.current?.focus();
    } catch (error) {
      if (error instanceof NotFoundError) setOver(true);
      else if (error instanceof ApiError) {
        const { placed, rest } = placeFieldErrors(error, CARD_SIDES);
        setErrors(Object.fromEntries(placed.map(({ name, message }) => [name, message])));
        if (placed.length === 0 || rest.length > 0) setFailure(rest.join(' ') || errorText(error));
        const [first] = placed;
        if (first) document.getElementById(buttonId(first.name))?.focus();
      } else throw error;
    } finally {
      setSending(false);
    }
  };

  return (
    <section className={classes.question} aria-labelledby="cards-title">
      <h2 id="cards-title">{t('cards.title')}</h2>
      <p ref={status} role="status" tabIndex={-1} className={sentText ? classes.status : 'berth-hidden'}>
        {sentText}
      </p>
      {isClosed ? (
        cards.sent.length === CARD_SIDES.length ? null : (
          <Text>{t('cards.over')}</Text>
        )
      ) : (
        <>
          <Text>{t('cards.intro', { time: formatDateTime(new Date(cards.until), i18n.language) })}</Text>
          {CARD_SIDES.map((side) => (
            <Side
              key={side}
              side={side}
              chosen={chosen[side]}
              isSent={cards.sent.includes(side)}
              error={errors[side]}
              onChoose={(file) => void handleChoose(side, file)}
            />
          ))}
          {failure ? (
            <Alert
              color="red"
              role="alert"
              icon={<CircleAlert size={18} aria-hidden />}
              lang={foreignLanguage(failure)}
            >
              {failure}
            </Alert>
          ) : null}
          {sides.length === 0 && cards.sent.length === CARD_SIDES.length ? null : (
            <Group>
              <Button loading={isSending} onClick={() => void handleSend()}>
                {t('cards.submit')}
              </Button>
            </Group>
          )}
        </>
      )}
    </section>
  );
}

const buttonId = (side: string) => `card-${side}`;

interface SideProps {
  side: CardSide;
  chosen: Chosen | undefined;
  isSent: boolean;
  error: string | undefined;
  onChoose: (file: File | null) => void;
}

function Side({ side, chosen, isSent, error, onChoose }: SideProps) {
  const { t } = useTranslation('find');
  const label = t(`cards.${side}`);
  const action = t(chosen || isSent ? 'cards.replace' : 'cards.choose');
  const address = chosen?.address;
  useEffect(() => () => URL.revokeObjectURL(address ?? ''), [address]);
  return (
    <Stack gap={6}>
      <Text fw={600}>{label}</Text>
      {address ? <img className={classes.cardPicture} src={address} alt={t('cards.preview', { side: label })} /> : null}
      <Group gap="sm">
        <FileButton accept={ACCEPTED} onChange={onChoose} inputProps={{ 'aria-label': label }}>
          {(props) => (
            <Button
              {...props}
              id={buttonId(side)}
              variant="default"
              leftSection={<ImageUp size={18} aria-hidden />}
              aria-label={`${action}: ${label}`}
              aria-describedby={`${buttonId(side)}-error`}
            >
              {action}
            </Button>
          )}
        </FileButton>
        {isSent && !chosen ? <Text>{t('cards.isSent')}</Text> : null}
      </Group>
      <Input.Error
        id={`${buttonId(side)}-error`}
        role={error ? 'alert' : undefined}
        lang={foreignLanguage(error ?? '')}
      >
        {error}
      </Input.Error>
    </Stack>
  );
}
