import { Button, Group, Input, Progress, Text, VisuallyHidden } from '@mantine/core';
import { ImageUp, Trash2 } from 'lucide-react';
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImagePrefix } from '@/api/upload-image';
import { dropChosen, fitOf, keepChosen } from './input-pictures';
import classes from './images-input.module.css';
import { ACCEPTED, ACCEPTED_JPEG } from './images-input.utils';
import { Picture } from './picture';

import { useHasMouse } from './use-has-mouse';
import { useImageUpload } from './use-image-upload';

interface PictureInputProps {
  label: string;
  description?: ReactNode;
  prefix: ImagePrefix;
  /** Path of the picture; null for none. */
  value: string | null;
  onChange: (path: string | null) => void;
  error?: ReactNode;
  required?: boolean;
  disabled?: boolean;
  /** Told while a picture is on its way: saving should wait. */
  onBusyChange?: (isBusy: boolean) => void;
}

/** One picture: chosen or dropped, shown at once, replaced or taken away. */
export function PictureInput(props: PictureInputProps) {
  const {
    label,
    description,
    prefix,
    value,
    onChange,
    error,
    required = false,
    disabled = false,
    onBusyChange,
  } = props;
  const { t, ready } = useTranslation(['images', 'common']);
  const { uploads, isBusy, add, retry, cancel } = useImageUpload({
    prefix,
    isSingle: true,
    onUploaded: (path, file) => {
      // The server shows a card only once a guest or a person who waits has it; what was chosen here is shown from here.
      setOwn({ path, address: keepChosen(path, file) });
      onChange(path);
    },
  });
  const [own, setOwn] = useState<{ path: string; address: string } | null>(null);
  useEffect(() => () => (own === null ? undefined : dropChosen(own.path, own.address)), [own]);
  const [isOver, setOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const id = useId();
  const hasMouse = useHasMouse();
  const upload = uploads[0];
  const wrong = upload?.error ?? error;
  /** The file on its way, or one that can be sent again; a rejected file leaves the field as it was. */
  const sending = upload?.state === 'failed' && !upload.canRetry ? undefined : upload;

  const told = useRef(onBusyChange);
  useEffect(() => {
    told.current = onBusyChange;
  }, [onBusyChange]);
  useEffect(() => told.current?.(isBusy), [isBusy]);
  useEffect(() => () => told.current?.(false), []);
  if (!ready) return null;

  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (!file || disabled) return;
    for (const { id: old } of uploads) cancel(old);
    add([file]);
  };
  const dragged = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer.files);
    },
  };
  const takeAway = () => {
    if (upload) cancel(upload.id);
    if (!sending) onChange(null);
    choose.current?.focus();
  };

  const shown = sending ? sending.preview : own !== null && own.path === value ? own.address : undefined;
  const fit = fitOf(prefix);
  const takeAwayWords = t(sending && isBusy ? 'common:action.cancel' : 'remove');

  return (
    <div
      role="group"
      aria-labelledby={`${id}-label`}
      className={classes.single}
      data-over={isOver || undefined}
      data-invalid-group={error ? true : undefined}
      {...dragged}
    >
      <Input.Label id={`${id}-label`} labelElement="div" required={required}>
        {label}
      </Input.Label>
      {description ? <Input.Description>{description}</Input.Description> : null}
      <Group gap="md" wrap="nowrap" align="center" mt={6}>
        {shown ? (
          <img
            className={classes.preview}
            data-fit={fit}
            data-sent={!sending || undefined}
            src={shown}
            alt={sending ? '' : t('chosen', { label })}
            width={96}
            height={96}
          />
        ) : (
          <Picture path={value} alt={value ? t('current', { label }) : ''} width={96} height={96} fit={fit} />
        )}
        <div className={classes.beside}>
          <Group gap="xs">
            <Button
              ref={choose}
              variant="default"
              leftSection={<ImageUp size={16} aria-hidden />}
              onClick={() => chooser.current?.click()}
              disabled={disabled}
              aria-label={`${value || sending ? t('replace') : t('choose')}: ${label}`}
              aria-describedby={`${id}-hint ${id}-error`}
            >
              {value || sending ? t('replace') : t('choose')}
            </Button>
            {upload?.state === 'failed' && upload.canRetry ? (
              <Button
                variant="default"
                aria-label={`${t('common:action.retry')}: ${label}`}
                onClick={() => retry(upload.id)}
              >
                {t('common:action.retry')}
              </Button>
            ) : null}
            {(value || sending) && !disabled ? (
              <Button
                variant="subtle"
                color="gray"
                leftSection={<Trash2 size={16} aria-hidden />}
                aria-label={`${takeAwayWords}: ${label}`}
                onClick={takeAway}
              >
                {takeAwayWords}
              </Button>
            ) : null}
          </Group>
          {upload && isBusy ? (
            <Progress value={upload.progress * 100} aria-label={t('sending', { name: upload.file.name })} mt={8} />
          ) : (
            <Text id={`${id}-hint`} size="sm" c="dimmed" mt={6}>
              {hasMouse ? `${t('dropOne')} ` : null}
              {t(prefix === 'ins_' ? 'hintJpeg' : 'hintOne')}
            </Text>
          )}
        </div>
      </Group>
      <Input.Error id={`${id}-error`} mt={6} role={wrong ? 'alert' : undefined}>
        {wrong}
      </Input.Error>
      <VisuallyHidden role="status">
        {upload?.state === 'sending' ? t('sending', { name: upload.file.name }) : ''}
      </VisuallyHidden>
      <input
        ref={chooser}
        type="file"
        hidden
        tabIndex={-1}
        accept={prefix === 'ins_' ? ACCEPTED_JPEG : ACCEPTED}
        aria-label={label}
        data-testid={`${prefix}file`}
        onChange={(event) => {
          take(event.currentTarget.files);
          // The same file may be chosen again.
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}
