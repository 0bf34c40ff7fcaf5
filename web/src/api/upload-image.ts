import { monotonicNow } from '@/lib/clock';
import { noteCountedCall } from './activity';
import type { Schemas } from './client';
import { apiErrorOf, NetworkError } from './errors';
import { loadProblemWords } from './problem-words';

/** What a picture is for; the server accepts its path only there. */
export type ImagePrefix = Schemas['ImagePrefix'];

interface Options {
  /** Told from 0 to 1 while the bytes leave; the server still works on the picture when it is 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

/**
 * Uploads one picture and resolves with its path. By XMLHttpRequest, since only that tells how much has left.
 * Throws an ApiError for any refusal, and the signal's reason when it was aborted.
 */
export function uploadImage(prefix: ImagePrefix, file: File, { onProgress, signal }: Options = {}): Promise<string> {
  const form = new FormData();
  form.append('prefix', prefix);
  form.append('files', file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const sentAt = monotonicNow();
    request.open('POST', '/api/Images');
    request.setRequestHeader('X-Berth', '1');
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    });
    request.addEventListener('load', () => {
      const body = parsed(request.responseText);
      if (request.status === 201) {
        noteCountedCall(sentAt);
        resolve((body as Schemas['Uploaded']).paths[0] ?? '');
        return;
      }
      const headers = new Headers();
      const retryAfter = request.getResponseHeader('Retry-After');
      if (retryAfter) headers.set('Retry-After', retryAfter);
      const response = new Response(null, { status: Math.max(request.status, 200), headers });
      void loadProblemWords().then(() => reject(apiErrorOf(response, body)));
    });
    request.addEventListener('error', () => reject(new NetworkError()));
    request.addEventListener('abort', () => reject(signal?.reason ?? new NetworkError()));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
