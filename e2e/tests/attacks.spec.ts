import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { MAIN_SITE, PASSWORD } from '../lib/accounts.ts';
import { reserve } from '../lib/api.ts';
import { expect, test } from '../lib/test.ts';

/** A web site of someone else. By its name it is a sibling of Berth (same site, other origin), by its number a stranger. */
async function withOtherSite(html: string, work: (origins: readonly string[]) => Promise<void>): Promise<void> {
  const server: HttpServer = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(html);
  });
  await new Promise<void>((ready) => server.listen(0, 'localhost', ready));
  const { port } = server.address() as AddressInfo;
  const numbered = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(html);
  });
  await new Promise<void>((ready) => numbered.listen(0, '127.0.0.1', ready));
  const stranger = (numbered.address() as AddressInfo).port;
  try {
    await work([`http://localhost:${port}`, `http://127.0.0.1:${stranger}`]);
  } finally {
    server.closeAllConnections();
    numbered.closeAllConnections();
    server.close();
    numbered.close();
  }
}

/** What a page from elsewhere can send without asking: forms of three kinds, and calls with and without our header. */
async function sendEverything(page: Page, target: string, path: string, body: string): Promise<string[]> {
  const address = `${target}${path}`;
  for (const enctype of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
    const answered = page.waitForResponse(address);
    await page.evaluate(
      ({ action, text, type }) => {
        const frame = Object.assign(document.createElement('iframe'), { name: `sink ${type}` });
        const form = Object.assign(document.createElement('form'), { method: 'post', action, target: frame.name });
        form.enctype = type;
        // As text/plain this is the body itself, but for a line end.
        form.append(Object.assign(document.createElement('input'), { name: text.slice(0, -1), value: text.slice(-1) }));
        document.body.append(frame, form);
        form.submit();
      },
      { action: address, text: body, type: enctype },
    );
    await answered;
  }
  return page.evaluate(
    async ({ to, text }) => {
      const told: string[] = [];
      const attempts: RequestInit[] = [
        { mode: 'no-cors', headers: { 'Content-Type': 'text/plain' } },
        { mode: 'cors', headers: { 'Content-Type': 'text/plain' } },
        { mode: 'cors', headers: { 'Content-Type': 'application/json', 'X-Berth': '1' } },
      ];
      for (const attempt of attempts) {
        try {
          const answer = await fetch(to, { ...attempt, method: 'POST', credentials: 'include', body: text });
          told.push(`${answer.type} ${answer.status}`);
        } catch {
          told.push('refused');
        }
      }
      navigator.sendBeacon(to, text);
      return told;
    },
    { to: address, text: body },
  );
}

test('a page from elsewhere changes nothing for who is signed in, reads nothing, and signs nobody in or out', async ({
  openContext,
  apiAs,
  server,
}) => {
  const api = await apiAs('owner');
  const site = await api.siteCalled(MAIN_SITE);
  await withOtherSite('<!doctype html><title>Win a prize</title>', async (origins) => {
    for (const origin of origins) {
      const context = await openContext('owner');
      const page = await context.newPage();
      await page.goto(origin);
      const room = JSON.stringify({ siteId: site.id, name: 'Taken over' });
      for (const [path, body] of [
        ['/api/Rooms', room],
        ['/connect/logout', '{}'],
        ['/connect/extend', '{}'],
        ['/api/Users/language', '{"language":"es"}'],
      ] as const) {
        const told = await sendEverything(page, server.origin, path, body);
        // Either the browser keeps the answer back or the server does.
        for (const one of told) expect(['opaque 0', 'refused'], `${origin} ${path}`).toContain(one);
      }
      const read = await page.evaluate(
        (address) =>
          fetch(address, { credentials: 'include' }).then(
            (answer) => answer.text(),
            () => 'refused',
          ),
        `${server.origin}/api/Organizations`,
      );
      expect(read).toBe('refused');
      expect((await context.request.get(`${server.origin}/api/Organizations`)).status(), 'still signed in').toBe(200);
    }
    const stranger = await openContext(null);
    const page = await stranger.newPage();
    await page.goto(origins[0] ?? '');
    const login = `grant_type=password&username=owner@demo.example&password=${PASSWORD}&session=cookie`;
    await sendEverything(page, server.origin, '/connect/token', login);
    const cookies = (await stranger.cookies(server.origin)).filter(({ name }) => name.startsWith('__Host-berth'));
    expect(cookies, 'nobody is signed in by another site').toEqual([]);
  });
  const after = await api.site(site.id);
  expect(after.rooms.map(({ name }) => name)).toEqual(site.rooms.map(({ name }) => name));
});

test('no other site can show Berth in a frame', async ({ openContext, server }) => {
  const html = `<!doctype html><title>Games</title><iframe src="${server.origin}/organizations" width="800" height="600"></iframe>`;
  await withOtherSite(html, async (origins) => {
    for (const origin of origins) {
      const page = await (await openContext('owner')).newPage();
      await page.goto(origin);
      await expect.poll(() => page.frames().length).toBe(2);
      const framed = page.frames()[1];
      await expect.poll(() => framed?.url()).toContain('chrome-error://');
    }
  });
});

test('markup in what strangers write runs nowhere, and no script without our nonce runs at all', async ({
  openContext,
  apiAs,
  request,
}) => {
  const api = await apiAs('owner');
  const site = await api.siteCalled(MAIN_SITE);
  const guest = await reserve(
    request,
    api,
    site,
    'Bo<img src=x onerror=window.pwned=1><script>window.pwned=2</script>',
  );
  const context = await openContext('owner');
  const page = await context.newPage();
  for (const path of [
    `/organizations/${site.organizationId}/${site.id}?tab=reservations`,
    `/reservations/${site.id}`,
    `/reservations-request/${guest.id}`,
    '/error?message=%3Cimg%20src%3Dx%20onerror%3Dwindow.pwned%3D3%3E',
    `/organizations/${site.organizationId}/${site.id}#<img src=x onerror=window.pwned=4>`,
  ]) {
    await page.goto(path);
    await expect(page.locator('main').first()).toBeVisible();
    expect(await page.evaluate(() => 'pwned' in window), path).toBe(false);
  }
  const blocked = await page.evaluateHandle(() => {
    const seen: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) => seen.push(event.effectiveDirective));
    const inline = document.createElement('script');
    inline.textContent = 'window.pwned = 5';
    const foreign = Object.assign(document.createElement('script'), { src: 'http://127.0.0.1:9/x.js' });
    const picture = document.createElement('div');
    picture.innerHTML = '<img src="data:image/gif;base64,x" onerror="window.pwned=6">';
    document.body.append(inline, foreign, picture);
    return seen;
  });
  await expect
    .poll(async () => (await blocked.jsonValue()).filter((one) => one.startsWith('script-src')).length)
    .toBe(3);
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
  await api.command(guest, 'REJECTED');
});
