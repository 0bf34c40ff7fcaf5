import { createHmac } from 'node:crypto';
import { latestCode } from '../lib/outbox.ts';
import { click, fillSignIn } from '../lib/sign-in.ts';
import { expect, test } from '../lib/test.ts';

test('an authenticator app is set up with the profile and gives codes; a recovery code works once', async ({
  openContext,
  server,
}) => {
  test.setTimeout(180_000);
  const person = { email: 'nora.quist@demo.example', password: 'Quiet-Meadow-4471', phone: '+16575550178' };
  const page = await (await openContext(null)).newPage();
  await page.goto(server.invite(person.email));
  await page.getByLabel('New password', { exact: true }).fill(person.password);
  await page.getByLabel('Confirm new password').fill(person.password);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByLabel('Mobile phone').fill(person.phone.slice(2));
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await page.getByLabel('Confirmation code').fill(await latestCode(page.request, server.origin, person.phone));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL(/\/free-rehabs$/);

  await page.goto('/user-settings');
  await page.getByRole('button', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'Set up authenticator app' }).click();
  const proof = page.getByRole('dialog', { name: 'Please enter your password again' });
  const picture = page.getByRole('img', { name: 'QR code for your authenticator app' });
  await expect(picture.or(proof)).toBeVisible();
  if (await proof.isVisible()) {
    await proof.getByLabel('Password', { exact: true }).fill(person.password);
    await proof.getByRole('button', { name: 'Confirm' }).click();
  }
  await expect(picture).toBeVisible();
  const secret = ((await page.locator('[translate=no]').textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel('Code from the app').fill(totp(secret, Date.now()));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  const recoveryCode = (await codes.getByRole('listitem').first().textContent()) ?? '';
  await codes.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByText('10 recovery codes left', { exact: false })).toBeVisible();

  for (const isFirst of [true, false]) {
    await test.step(isFirst ? 'a recovery code signs in' : 'the same one does not any more', async () => {
      const other = await (await openContext(null)).newPage();
      await other.goto('/login');
      await fillSignIn(other, person, click);
      await other.getByRole('button', { name: 'Use a recovery code' }).click();
      await other.getByLabel('Recovery code').fill(recoveryCode);
      await other.getByRole('button', { name: 'Confirm' }).click();
      if (isFirst) await expect(other).toHaveURL(/\/free-rehabs$/);
      else await expect(other.getByRole('alert')).toContainText('Invalid confirmation code.');
    });
  }
});

/** The code of an authenticator app (RFC 6238): SHA-1, 30 seconds, 6 digits. */
function totp(secret: string, at: number): string {
  const bits = Array.from(secret, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const hash = createHmac('sha1', Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))))
    .update(counter)
    .digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
