import { Button, Input, Progress, Text, VisuallyHidden } from '@mantine/core';
import { ImagePlus } from 'lucide-react';
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImagePrefix } from '@/api/upload-image';
import classes from './images-input.module.css';
import { ACCEPTED, MOST_AT_ONCE } from './images-input.utils';
import { ImageOrdering } from './image-ordering';
import { useHasMouse } from './use-has-mouse';
import { type Upload, useImageUpload } from './use-image-upload';

interface ImagesInputProps {
  label: string;
  description?: ReactNode;
  prefix: ImagePrefix;
  /** Paths in their order; the first is the cover. */
  value: readonly string[];
  onChange: (paths: string[]) => void;
  error?: ReactNode;
  required?: boolean;
  /** Told while pictures are on their way: saving should wait. */
  onBusyChange?: (isBusy: boolean) => void;
}

/** Photos of a site: chosen or dropped, up to five at once, shown before they have left, put in order. */
export function ImagesInput(props: ImagesInputProps) {
  const { label, description, prefix, value, onChange, error, required = false, onBusyChange } = props;
  const { t, ready } = useTranslation(['images', 'common']);
  const paths = useRef(value);
  useEffect(() => {
    paths.current = value;
  }, [value]);
  const [said, setSaid] = useState('');
  const { uploads, isBusy, add, retry, cancel } = useImageUpload({
    prefix,
    onUploaded: (path) => {
      // Several may arrive before the form has drawn itself anew.
      paths.current = [...paths.current, path];
      setSaid(t('uploaded', { count: paths.current.length }));
      onChange([...paths.current]);
    },
  });
  const [isOver, setOver] = useState(false);
  const [tooMany, setTooMany] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const id = useId();
  const hasMouse = useHasMouse();

  const told = useRef(onBusyChange);
  useEffect(() => {
    told.current = onBusyChange;
  }, [onBusyChange]);
  useEffect(() => told.current?.(isBusy), [isBusy]);
  useEffect(() => () => told.current?.(false), []);
  if (!ready) return null;

  const take = (files: FileList | null) => {
    const chosen = [...(files ?? [])];
    setTooMany(chosen.length > MOST_AT_ONCE);
    if (chosen.length > 0) add(chosen.slice(0, MOST_AT_ONCE));
  };
  const dragged = {
    onDragOver: (event: DragEvent) => {
      // A word or a link is dragged, no file.
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer.files);
    },
  };
  const wrong = tooMany ? t('tooMany') : error;

  return (
    <div role="group" aria-labelledby={`${id}-label`} data-invalid-group={error ? true : undefined}>
      <Input.Label id={`${id}-label`} labelElement="div" required={required}>
        {label}
      </Input.Label>
      {description ? <Input.Description>{description}</Input.Description> : null}
      <div className={classes.zone} data-over={isOver || undefined} {...dragged}>
        <Button
          variant="default"
          leftSection={<ImagePlus size={16} aria-hidden />}
          onClick={() => chooser.current?.click()}
          aria-describedby={`${id}-hint ${id}-error`}
        >
          {t('choosePhotos')}
        </Button>
        <Text id={`${id}-hint`} size="sm" c="dimmed">
          {hasMouse ? `${t('drop')} ` : null}
          {t('hint')}
        </Text>
      </div>
      <Input.Error id={`${id}-error`} mt={6} role={wrong ? 'alert' : undefined}>
        {wrong}
      </Input.Error>
      <ImageOrdering paths={value} onChange={onChange} label={label} />
      {uploads.length > 0 ? (
        <ul className={classes.uploads} aria-label={t('onTheirWay')}>
          {uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} onRetry={retry} onCancel={cancel} />
          ))}
        </ul>
      ) : null}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        tabIndex={-1}
        accept={ACCEPTED}
        aria-label={label}
        data-testid={`${prefix}files`}
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}

interface UploadRowProps {
  upload: Upload;
  onRetry: (id: number) => void;
  onCancel: (id: number) => void;
}

function UploadRow({ upload, onRetry, onCancel }: UploadRowProps) {
  const { t } = useTranslation(['images', 'common']);
  const { id, file, preview, state, error, progress, canRetry } = upload;
  const end = t(state === 'failed' ? 'dismiss' : 'common:action.cancel');
  return (
    <li className={classes.upload}>
      {preview ? <img className={classes.small} src={preview} alt="" width={56} height={56} /> : null}
      <div className={classes.beside}>
        <Text size="sm" lineClamp={2} title={file.name}>
          {file.name}
        </Text>
        {state === 'failed' ? (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        ) : (
          <Progress value={progress * 100} aria-label={t('sending', { name: file.name })} mt={6} />
        )}
      </div>
      {state === 'failed' && canRetry ? (
        <Button
          variant="default"
          size="xs"
          aria-label={`${t('common:action.retry')}: ${file.name}`}
          onClick={() => onRetry(id)}
        >
          {t('common:action.retry')}
        </Button>
      ) : null}
      <Button variant="subtle" color="gray" size="xs" aria-label={`${end}: ${file.name}`} onClick={() => onCancel(id)}>
        {end}
      </Button>
    </li>
  );
}
