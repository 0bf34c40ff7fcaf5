import { http, HttpResponse } from 'msw';
import { serve } from './server';

type Answer = () => Response | Promise<Response>;

/** Takes views and settings of the user as the server does; `sent` are those that it was sent, as `guests: 25` or `moves-unasked: on`. */
export function takeViews(answer: Answer = () => new HttpResponse(null, { status: 204 })): string[] {
  const sent: string[] = [];
  serve(
    http.put('/api/Users/views', async ({ request }) => {
      const { name, text } = (await request.json()) as { name: string; text: string };
      sent.push(`${name.split('.')[1]}: ${text}`);
      return await answer();
    }),
  );
  return sent;
}
