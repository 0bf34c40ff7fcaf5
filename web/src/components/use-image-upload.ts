import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, NetworkError, RateLimitedError, ValidationError } from '@/api/errors';
import { type ImagePrefix, uploadImage } from '@/api/upload-image';
import { problemOf } from './images-input.utils';

/** A file on its way to the server. */
export interface Upload {
  id: number;
  file: File;
  /** Address of the file itself, shown before it has left. */
  preview: string;
  /** From 0 to 1. */
  progress: number;
  state: 'waiting' | 'sending' | 'failed';
  /** Why it failed. */
  error?: string;
  /** Whether sending it again can help. */
  canRetry: boolean;
}

interface Options {
  prefix: ImagePrefix;
  /** Called once for each file that has arrived, in the order of choice. */
  onUploaded: (path: string, file: File) => void;
  /** The words of a field for one image differ from those of a field for several. */
  isSingle?: boolean;
}

let lastId = 0;

/**
 * Sends files one after the other, tells how far each is, and keeps those that failed for another try. Made by hand: the kit
 * has no queue, upload libraries bring their own dialogs and protocols, and ours must speak the API's words and limits.
 */
export function useImageUpload({ prefix, onUploaded, isSingle = false }: Options) {
  const { t } = useTranslation('images');
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const queue = useRef<Upload[]>([]);
  const running = useRef<{ id: number; abort: AbortController } | null>(null);
  const latest = useRef(onUploaded);
  useEffect(() => {
    latest.current = onUploaded;
  }, [onUploaded]);
  const { mutateAsync } = useMutation({
    mutationFn: ({ upload, abort }: { upload: Upload; abort: AbortController }) =>
      uploadImage(prefix, upload.file, {
        signal: abort.signal,
        onProgress: (progress) => change(upload.id, { progress }),
      }),
  });

  // What is still on its way has no place to arrive at when the form is gone.
  useEffect(
    () => () => {
      queue.current = [];
      running.current?.abort.abort();
    },
    [],
  );

  function change(id: number, fields: Partial<Upload>) {
    setUploads((now) => now.map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)));
  }

  function drop(id: number) {
    setUploads((now) => {
      const gone = now.find((upload) => upload.id === id);
      if (gone) URL.revokeObjectURL(gone.preview);
      return now.filter((upload) => upload.id !== id);
    });
  }

  async function run() {
    if (running.current) return;
    for (let upload = queue.current.shift(); upload; upload = queue.current.shift()) {
      const abort = new AbortController();
      running.current = { id: upload.id, abort };
      change(upload.id, { state: 'sending', progress: 0, error: undefined });
      try {
        // One after the other: the order of the pictures is the order of choice.
        // oxlint-disable-next-line no-await-in-loop
        const path = await mutateAsync({ upload, abort });
        latest.current(path, upload.file);
        drop(upload.id);
      } catch (error) {
        if (!abort.signal.aborted) change(upload.id, { state: 'failed', ...failure(error) });
      }
      running.current = null;
    }
  }

  function failure(error: unknown): Pick<Upload, 'error' | 'canRetry'> {
    if (error instanceof ValidationError) {
      return { error: error.problem.errors?.[0]?.message ?? error.message, canRetry: false };
    }
    const own = error instanceof RateLimitedError || (error instanceof ApiError && error.status === 507);
    if (own) return { error: error.message, canRetry: true };
    const isAway = error instanceof NetworkError;
    return { error: t(isSingle ? 'failedOne' : 'failed') + (isAway ? ` ${t('offline')}` : ''), canRetry: true };
  }

  return {
    uploads,
    /** Whether anything is on its way. */
    isBusy: uploads.some(({ state }) => state !== 'failed'),
    add: (files: readonly File[]) => {
      const added = files.map((file): Upload => {
        lastId += 1;
        const problem = problemOf(file, prefix === 'ins_');
        return {
          id: lastId,
          file,
          preview: problem === undefined ? URL.createObjectURL(file) : '',
          progress: 0,
          state: problem === undefined ? 'waiting' : 'failed',
          error:
            problem === undefined
              ? undefined
              : t(`problem.${isSingle ? 'one' : 'many'}.${problem}`, { name: file.name }),
          canRetry: false,
        };
      });
      setUploads((now) => [...now, ...added]);
      queue.current.push(...added.filter(({ state }) => state === 'waiting'));
      void run();
    },
    retry: (id: number) => {
      const upload = uploads.find((known) => known.id === id);
      if (!upload) return;
      change(id, { state: 'waiting', error: undefined });
      queue.current.push(upload);
      void run();
    },
    cancel: (id: number) => {
      queue.current = queue.current.filter((upload) => upload.id !== id);
      if (running.current?.id === id) running.current.abort.abort();
      drop(id);
    },
  };
}
