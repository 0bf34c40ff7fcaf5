import type { Locator } from 'vitest/browser';

/** Fills in what the form for a new guest requires at a site that is not commercial. */
export async function fillInGuest(
  form: Pick<Locator, 'getByLabelText'>,
  guest: { firstName: string; initial: string; email: string },
) {
  await form.getByLabelText('First name').fill(guest.firstName);
  await form.getByLabelText('Last name initial').fill(guest.initial);
  await form.getByLabelText('Female').click();
  await form.getByLabelText('18 to 26').click();
  await form.getByLabelText('Phone').fill('(714) 555-0134');
  await form.getByLabelText('Email').fill(guest.email);
  await form.getByLabelText('Medical detox').click();
}
