import { Button } from '@mantine/core';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectNoViolations } from '@/testing/axe';
import { renderView } from '@/testing/render';
import { ConfirmDialog } from './confirm-dialog';
import { LegalDialog } from './legal-dialog';
import { ReasonTooltip } from '../reason-tooltip';
import { toast } from '../toast';

function Asking({ onConfirm, error }: { onConfirm: () => void; error?: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Delete</Button>
      <ConfirmDialog
        subject={isOpen}
        title="Are you sure you want to delete House 2?"
        confirmLabel="Delete it"
        danger
        error={error}
        onConfirm={onConfirm}
        onCancel={() => setIsOpen(false)}
      />
    </>
  );
}

it('asks, is cancelled by Escape, and gives the focus back', async () => {
  const confirm = vi.fn<() => void>();
  const screen = await renderView(<Asking onConfirm={confirm} />);
  const opener = screen.getByRole('button', { name: 'Delete' });
  await opener.click();
  await expect.element(screen.getByRole('dialog', { name: 'Are you sure you want to delete House 2?' })).toBeVisible();
  // What is dangerous does not have the focus.
  await expect.element(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await expectNoViolations();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
  expect(confirm).not.toHaveBeenCalled();
});

it('is 350 px wide; a legal text is 800', async () => {
  await page.viewport(1360, 900);
  const asking = await renderView(<Asking onConfirm={vi.fn()} />);
  await asking.getByRole('button', { name: 'Delete' }).click();
  const width = () => asking.getByRole('dialog').element().getBoundingClientRect().width;
  await expect.poll(width).toBe(350);
  await asking.unmount();
  const legal = await renderView(
    <LegalDialog subject title="Terms" labels={LABELS} onAccept={vi.fn()} onDecline={vi.fn()}>
      Short text
    </LegalDialog>,
  );
  await expect.poll(() => legal.getByRole('dialog').element().getBoundingClientRect().width).toBe(800);
});

describe('a message', () => {
  afterEach(() => vi.useRealTimers());

  it('ends after five seconds', async () => {
    const screen = await renderView(<p>Page</p>);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    toast.success('Saved.');
    await expect.poll(() => document.body.textContent).toContain('Saved.');
    await vi.advanceTimersByTimeAsync(4900);
    await expect.element(screen.getByText('Saved.')).toBeInTheDocument();
    // The rest of the five seconds, and the time it takes to fade.
    await vi.advanceTimersByTimeAsync(100 + 500);
    await expect.poll(() => document.body.textContent).not.toContain('Saved.');
  });

  it('ends when it is closed', async () => {
    const screen = await renderView(<p>Page</p>);
    toast.error('Not saved.');
    await expect.element(screen.getByText('Not saved.')).toBeVisible();
    await screen.getByRole('button', { name: 'Close message' }).click();
    await expect.element(screen.getByText('Not saved.')).not.toBeInTheDocument();
  });
});

it('shows a refusal in place', async () => {
  const screen = await renderView(<Asking onConfirm={vi.fn()} error="A guest is in this house." />);
  await screen.getByRole('button', { name: 'Delete' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('A guest is in this house.');
  await expectNoViolations();
});

const LABELS = {
  accept: 'Accept',
  decline: 'Decline',
  close: 'Close',
  text: 'Terms, text',
  scrollFirst: 'Read to the end.',
};

it('a long legal text can be accepted only after its end was seen', async () => {
  const accept = vi.fn<() => void>();
  const screen = await renderView(
    <LegalDialog subject title="Terms" labels={LABELS} onAccept={accept} onDecline={vi.fn()}>
      <div style={{ height: 3000 }}>Long text</div>
    </LegalDialog>,
  );
  const button = screen.getByRole('button', { name: 'Accept' });
  await expect.element(button).toHaveAttribute('aria-disabled', 'true');
  await button.click({ force: true });
  expect(accept).not.toHaveBeenCalled();
  await expectNoViolations();
  const text = screen.getByRole('region', { name: 'Terms, text' }).element();
  text.scrollTop = text.scrollHeight;
  await expect.element(button).not.toHaveAttribute('aria-disabled');
  await button.click();
  expect(accept).toHaveBeenCalledTimes(1);
});

it('a short legal text can be accepted at once', async () => {
  const screen = await renderView(
    <LegalDialog subject title="Terms" labels={LABELS} onAccept={vi.fn()} onDecline={vi.fn()}>
      Short text
    </LegalDialog>,
  );
  await expect.element(screen.getByRole('button', { name: 'Accept' })).not.toHaveAttribute('aria-disabled');
});

it('a control that is off tells why, to the eye and to screen readers, and does nothing', async () => {
  const press = vi.fn<() => void>();
  const screen = await renderView(
    <ReasonTooltip reason="There are no vacant beds.">
      <Button onClick={press}>New Guest</Button>
    </ReasonTooltip>,
  );
  const button = screen.getByRole('button', { name: 'New Guest' });
  await expect.element(button).toHaveAccessibleDescription('There are no vacant beds.');
  await button.click({ force: true });
  expect(press).not.toHaveBeenCalled();
  await expectNoViolations();
});

it('the reason shows while the control is under the pointer, and Escape takes it away', async () => {
  const screen = await renderView(
    <ReasonTooltip reason="There are no vacant beds.">
      <Button>New Guest</Button>
    </ReasonTooltip>,
  );
  await userEvent.hover(screen.getByRole('button', { name: 'New Guest' }));
  await expect.element(screen.getByRole('tooltip')).toHaveTextContent('There are no vacant beds.');
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('tooltip')).not.toBeInTheDocument();
});
