import { Button, TextInput } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { browserHistory } from '@/testing/browser-history';
import { renderView } from '@/testing/render';
import { useUnsavedGuard } from '../form/use-unsaved-guard';
import { MenuButton } from '../menu-button';
import { ConfirmMutation } from './confirm-mutation';
import { Dialog } from './dialog';
import { isReturning } from './stay-here';

/** A field with something to lose as soon as it is changed. */
function Field({ label }: { label: string }) {
  const [text, setText] = useState('');
  const { question } = useUnsavedGuard(text !== '');
  return (
    <>
      <TextInput label={label} value={text} onChange={(event) => setText(event.currentTarget.value)} />
      {question}
    </>
  );
}

/** What the dialogs of a screen hold: a field, a menu and a question. */
function Content() {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Field label="Name" />
      <MenuButton label="Actions" entries={[{ label: 'Rename', onSelect: () => undefined }]} />
      <Button onClick={() => setAsking(true)}>Delete</Button>
      <ConfirmMutation
        danger
        subject={isAsking}
        title="Delete it?"
        confirmLabel="Yes"
        note={{ label: 'Feedback', description: '', maxLength: 100 }}
        choice={{ label: 'Reason', none: 'None', options: [{ value: 'full', label: 'Full' }] }}
        run={() => new Promise(() => undefined)}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

/** One dialog that is in the address, as a panel is, and one that is not. */
function Screen({ children }: { children?: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const isPanel = 'bed' in search;
  const go = (bed: string | undefined) => void navigate({ to: '.', search: { bed } as never, replace: !bed });
  return (
    <>
      <h1 tabIndex={-1} data-page-heading>
        Page {pathname}
      </h1>
      {children}
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Button onClick={() => go('anchor')}>Open panel</Button>
      <Dialog subject={isOpen} title="House" onClose={() => setOpen(false)}>
        <Content />
      </Dialog>
      <Dialog atSide inAddress subject={isPanel} title="Bed" onClose={() => go(undefined)}>
        <Content />
      </Dialog>
    </>
  );
}

/** Shows the screen as the second of three pages: `/first`, `/second` and, by Forward, `/third`. */
async function show(view: ReactNode = <Screen />) {
  const history = browserHistory('/first', '/second', '/third');
  const { router } = await renderView(view, { history });
  window.history.back();
  await expectPage('/second');
  return { router, history };
}

/** Presses Back when the browser is at rest: while it returns from the one before, no step counts. */
async function back() {
  await expect.poll(isReturning).toBe(false);
  window.history.back();
}

const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const isAt = (path: string) => () => `${window.location.pathname}${window.location.search}` === path;

/** The screen shows the page, and the address agrees. */
async function expectPage(path: string) {
  await expect.element(page.getByText(`Page ${path.split('?')[0]}`, { exact: true })).toBeInTheDocument();
  await expect.poll(isAt(path)).toBe(true);
}

async function expectClosed(name: string) {
  await expect.element(dialog(name)).not.toBeInTheDocument();
}

async function open(name: 'House' | 'Bed') {
  await button(name === 'House' ? 'Open' : 'Open panel').click();
  await expect.element(dialog(name)).toBeVisible();
}

describe('Back', () => {
  it('closes a dialog, gives the focus back and stays on the page; the next one leaves it', async () => {
    await show();
    await open('House');
    await back();
    await expectClosed('House');
    await expectPage('/second');
    await expect.element(button('Open')).toHaveFocus();
    await back();
    await expectPage('/first');
  });

  it('closes only what is on top: the menu, then the dialog', async () => {
    await show();
    await open('House');
    await button('Actions').click();
    await expect.element(page.getByRole('menu')).toBeVisible();
    await back();
    await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
    await expect.element(button('Actions')).toHaveFocus();
    await expect.element(dialog('House')).toBeVisible();
    await back();
    await expectClosed('House');
    await expectPage('/second');
  });

  it('asks before it loses what was typed, and a second one keeps it', async () => {
    await show();
    await open('House');
    await page.getByRole('textbox', { name: 'Name' }).fill('Beacon');
    await back();
    await expect.element(dialog('Discard your changes?')).toBeVisible();
    await back();
    await expectClosed('Discard your changes?');
    await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Beacon');
    await back();
    await button('Discard').click();
    await expectClosed('House');
    await expectPage('/second');
    await back();
    await expectPage('/first');
  });

  it.each([
    ['feedback', () => page.getByRole('textbox', { name: 'Feedback' }).fill('Called twice')],
    ['a reason', () => page.getByRole('combobox', { name: 'Reason' }).selectOptions('full')],
  ])('asks before it loses %s of a question, and then closes the question alone', async (_what, fill) => {
    await show();
    await open('House');
    await button('Delete').click();
    await fill();
    await back();
    await button('Keep editing').click();
    await expectClosed('Discard your changes?');
    await expect.element(dialog('Delete it?')).toBeVisible();
    await back();
    await button('Discard').click();
    await expectClosed('Delete it?');
    await expect.element(dialog('House')).toBeVisible();
    await expectPage('/second');
  });

  it('does nothing while an answer is being sent', async () => {
    await show();
    await open('House');
    await button('Delete').click();
    await button('Yes').click();
    await back();
    await expectPage('/second');
    await expect.element(dialog('Delete it?')).toBeVisible();
  });

  it('closes a question over a panel of the address, then leads to the address before', async () => {
    await show();
    await open('Bed');
    await expectPage('/second?bed=anchor');
    await button('Delete').click();
    await expect.element(dialog('Delete it?')).toBeVisible();
    await back();
    await expectClosed('Delete it?');
    await expectPage('/second?bed=anchor');
    await expect.element(dialog('Bed')).toBeVisible();
    await back();
    await expectClosed('Bed');
    await expectPage('/second');
    // The step was not undone: the panel is ahead.
    window.history.forward();
    await expect.element(dialog('Bed')).toBeVisible();
  });

  it('asks before it loses what was typed in a panel of the address', async () => {
    await show();
    await open('Bed');
    await page.getByRole('textbox', { name: 'Name' }).fill('Beacon');
    await back();
    await button('Keep editing').click();
    await expectPage('/second?bed=anchor');
    await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Beacon');
    await back();
    await button('Discard').click();
    await expectClosed('Bed');
    await expectPage('/second');
  });

  it('that overtakes the return from the one before never leaves address and screen apart', async () => {
    await show();
    await open('House');
    await button('Delete').click();
    await expect.element(dialog('Delete it?')).toBeVisible();
    // What the browser does with a return on its way when the user presses Back again.
    const overtaken = vi.spyOn(window.history, 'go').mockImplementationOnce(() => window.history.back());
    await back();
    await expectClosed('Delete it?');
    await expect.poll(() => overtaken.mock.calls).toEqual([[1], [2]]);
    overtaken.mockRestore();
    await expectPage('/second');
    await expect.element(dialog('House')).toBeVisible();
    await back();
    await expectClosed('House');
    await expectPage('/second');
    await back();
    await expectPage('/first');
  });

  it('keeps its place in the history when a link is followed in the moment of the return', async () => {
    const { router } = await show();
    await open('House');
    const isHeld = vi.spyOn(window.history, 'go').mockImplementationOnce(() => undefined);
    await back();
    await expectClosed('House');
    void router.navigate({ to: '/fourth' as '/' });
    await expectPage('/fourth');
    isHeld.mockRestore();
    await back();
    await expectPage('/second');
    await expect.element(dialog('House')).not.toBeInTheDocument();
  });
});

describe('Forward', () => {
  it('still leads on after Back has closed a dialog', async () => {
    const { router } = await show();
    await open('House');
    await back();
    await expectClosed('House');
    await expectPage('/second');
    window.history.forward();
    await expectPage('/third');
    expect(router.state.location.pathname).toBe('/third');
  });

  it('asks before it loses what was typed in a dialog', async () => {
    await show();
    await open('House');
    await page.getByRole('textbox', { name: 'Name' }).fill('Beacon');
    window.history.forward();
    await button('Stay').click();
    await expectClosed('Leave page?');
    await expectPage('/second');
    await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Beacon');
    window.history.forward();
    await button('Leave page').click();
    await expectPage('/third');
  });
});

describe('a form on a page', () => {
  it('asks whether to leave; Back then stays, as often as it is pressed', async () => {
    await show(
      <Screen>
        <Field label="Site" />
      </Screen>,
    );
    await page.getByRole('textbox', { name: 'Site' }).fill('Harbor');
    await back();
    await expect.element(dialog('Leave page?')).toBeVisible();
    await expectPage('/second');
    await back();
    await expectClosed('Leave page?');
    await expectPage('/second');
    await expect.element(page.getByRole('textbox', { name: 'Site' })).toHaveValue('Harbor');
    await back();
    await button('Leave page').click();
    await expectPage('/first');
  });

  it('does not ask when Back closes a dialog over it', async () => {
    await show(
      <Screen>
        <Field label="Site" />
      </Screen>,
    );
    await page.getByRole('textbox', { name: 'Site' }).fill('Harbor');
    await open('House');
    await back();
    await expectClosed('House');
    await expect.element(page.getByRole('textbox', { name: 'Site' })).toHaveValue('Harbor');
    await expectClosed('Leave page?');
    await expectPage('/second');
  });
});
