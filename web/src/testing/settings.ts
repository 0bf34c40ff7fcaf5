import { http, HttpResponse } from 'msw';
import { serve } from './server';

type Answer = () => Response | Promise<Response>;

/** Takes settings of the user as the server does; `sent` are those that it was sent, as `moves-unasked: on`. */
export function takeSettings(answer: Answer = () => new HttpResponse(null, { status: 204 })): string[] {
  const sent: string[] = [];
  serve(
    http.put('/api/Users/views', async ({ request }) => {
      const { name, text } = (await request.json()) as { name: string; text: string };
      sent.push(`${name.replace('setting.', '')}: ${text}`);
      return await answer();
    }),
  );
  return sent;
}
