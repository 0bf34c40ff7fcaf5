import { Drawer, Menu } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { changeLanguage } from '@/i18n/i18n';
import { noteUserShown, tellUserForgotten } from '@/lib/session-end';
import { pointerAt } from '@/testing/click-at';
import { renderView } from '@/testing/render';
import { Dialog } from './dialog/dialog';
import { toast } from './toast';

afterEach(async () => {
  tellUserForgotten();
  await page.viewport(1360, 900);
});

/** A header as that of the signed-in screens on a phone: a button at each end, the free part between them. */
function Header({ endWidth = 44 }: { endWidth?: number }) {
  const end = { width: endWidth, height: 44 };
  return (
    <header style={{ display: 'flex', gap: 8, height: 56, padding: '0 8px', alignItems: 'center' }}>
      <button type="button" style={end}>
        Left
      </button>
      <span data-toast-area style={{ flex: 1 }}>
        Berth
      </span>
      <button type="button" style={end}>
        Right
      </button>
    </header>
  );
}

/** A button that opens what is drawn for `true`. */
function Opening({ children }: { children: (isOpen: boolean) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {children(isOpen)}
    </>
  );
}

const texts = () => [...document.querySelectorAll('[data-mantine-notification], .mantine-Notification-root')];
const rect = (element: Element | null | undefined) => element?.getBoundingClientRect() ?? new DOMRect();

describe('messages', () => {
  it('are two at most: the oldest gives way', async () => {
    const screen = await renderView(<Header />);
    for (const text of ['One.', 'Two.', 'Three.']) toast.success(text);
    await expect.element(screen.getByText('Three.')).toBeVisible();
    await expect.element(screen.getByText('Two.')).toBeVisible();
    await expect.element(screen.getByText('One.')).not.toBeInTheDocument();
  });

  it('about the same thing replace each other, so that no two contradict', async () => {
    const screen = await renderView(<Header />);
    toast.success('Ana can sign in again.', { about: 'user:ana' });
    toast.success('Ben can sign in again.', { about: 'user:ben' });
    toast.success('Ana can no longer sign in.', { about: 'user:ana' });
    await expect.element(screen.getByText('Ana can no longer sign in.')).toBeVisible();
    await expect.element(screen.getByText('Ben can sign in again.')).toBeVisible();
    await expect.element(screen.getByText('Ana can sign in again.')).not.toBeInTheDocument();
  });

  it('that can be undone are not pushed out by news', async () => {
    const screen = await renderView(<Header />);
    toast.success('Moved.', { undo: { onUndo: vi.fn<() => void>() } });
    toast.news('New reservation at Harbor House');
    toast.news('New reservation at Maple House');
    await expect.element(screen.getByText('New reservation at Maple House')).toBeVisible();
    await expect.element(screen.getByText('New reservation at Harbor House')).not.toBeInTheDocument();
    await expect.element(screen.getByText('Moved.')).toBeVisible();
  });

  it('are not pushed out by news while both can be undone', async () => {
    const screen = await renderView(<Header />);
    const undo = { onUndo: vi.fn<() => void>() };
    toast.success('Moved.', { undo });
    toast.success('Declined.', { undo });
    toast.news('New reservation at Harbor House');
    await expect.element(screen.getByText('Moved.')).toBeVisible();
    await expect.element(screen.getByText('Declined.')).toBeVisible();
    await expect.element(screen.getByText('New reservation at Harbor House')).not.toBeInTheDocument();
  });

  it('stay for five seconds, and for ten with Undo', async () => {
    const screen = await renderView(<Header />);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      toast.success('Saved.');
      toast.success('Moved.', { undo: { onUndo: vi.fn<() => void>() } });
      await expect.element(screen.getByText('Moved.')).toBeVisible();
      vi.advanceTimersByTime(5100);
      await expect.poll(() => (vi.advanceTimersByTime(10), screen.getByText('Saved.').elements().length)).toBe(0);
      vi.advanceTimersByTime(4000);
      await expect.element(screen.getByText('Moved.')).toBeVisible();
      vi.advanceTimersByTime(1000);
      await expect.poll(() => (vi.advanceTimersByTime(10), screen.getByText('Moved.').elements().length)).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('lie over no button of the header, with Undo in the window, on a phone', async () => {
    await page.viewport(390, 844);
    const onUndo = vi.fn<() => void>();
    const screen = await renderView(<Header />);
    toast.success('Bartholomew K. is now in Treatment #12.', { undo: { onUndo } });
    const undo = screen.getByRole('button', { name: 'Undo' });
    await expect.element(undo).toBeVisible();
    const message = () => rect(texts()[0]);
    await expect.poll(() => message().left).toBeGreaterThanOrEqual(rect(screen.getByText('Left').element()).right);
    await expect.poll(() => message().right).toBeLessThanOrEqual(rect(screen.getByText('Right').element()).left);
    expect(rect(undo.element()).right).toBeLessThanOrEqual(message().right);
    await undo.click();
    expect(onUndo).toHaveBeenCalledTimes(1);
  });

  it('stand below a header that leaves little room, as wide as the window', async () => {
    await page.viewport(390, 844);
    const screen = await renderView(<Header endWidth={100} />);
    toast.success('The reservation for Bartholomew K. was declined.', { undo: { onUndo: vi.fn<() => void>() } });
    await expect.element(screen.getByRole('button', { name: 'Undo' })).toBeVisible();
    const header = rect(screen.getByRole('banner').element());
    await expect.poll(() => rect(texts()[0]).top).toBeGreaterThanOrEqual(header.bottom);
    await expect.poll(() => rect(texts()[0]).width).toBeGreaterThan(360);
  });

  it('of many words stand below the header of a phone, where they have few lines', async () => {
    await page.viewport(390, 844);
    const screen = await renderView(<Header />);
    toast.news('New reservation at Harbor Light by the Long Beach', {
      action: { label: 'Show', onAction: () => undefined },
    });
    const header = rect(screen.getByRole('banner').element());
    await expect.poll(() => rect(texts()[0]).top).toBeGreaterThanOrEqual(header.bottom);
    await expect.poll(() => rect(texts()[0]).width).toBeGreaterThan(360);
  });

  it('that stand when a form opens on a phone give way to its fields and its cross', async () => {
    await page.viewport(390, 844);
    const form = (isOpen: boolean) => (
      <>
        <div style={{ height: 90 }} />
        <Header />
        <Dialog subject={isOpen} fullScreen title="New Guest" onClose={() => undefined}>
          <input aria-label="First name" style={{ display: 'block', width: '100%' }} />
        </Dialog>
      </>
    );
    const screen = await renderView(<Opening>{form}</Opening>);
    toast.success('Ben B. is now in Bed 1, House 1.', { undo: { onUndo: () => undefined } });
    await expect.element(screen.getByRole('button', { name: 'Undo' })).toBeVisible();
    // Of the element itself: once the message is gone, nothing is said of it.
    const [element] = texts();
    const message = () => rect(element);
    await expect.poll(() => message().top).toBeGreaterThan(90);
    await screen.getByRole('button', { name: 'Open' }).click();
    const cross = screen.getByRole('button', { name: 'Close', exact: true });
    await expect.element(cross).toBeVisible();
    await expect.poll(() => message().top).toBeLessThan(8);
    await expect.poll(() => message().right).toBeLessThanOrEqual(rect(cross.element()).left);
    const field = screen.getByRole('textbox', { name: 'First name' });
    await expect.poll(() => rect(field.element()).top - message().bottom).toBeGreaterThanOrEqual(0);
    expect(element?.isConnected).toBe(true);
  });

  it.each([
    ['a panel at the side', true, 460],
    ['a form', false, 600],
  ] as const)(
    'stand beside %s where there is room, over neither its title nor its buttons',
    async (_what, atSide, width) => {
      await page.viewport(1280, 800);
      const screen = await renderView(
        <>
          <Header />
          <Dialog subject atSide={atSide} title="Bed 1, Treatment" onClose={() => undefined}>
            <button type="button">Discharge</button>
          </Dialog>
        </>,
      );
      const dialog = screen.getByRole('dialog');
      await expect.element(screen.getByRole('button', { name: 'Discharge' })).toBeVisible();
      await expect.poll(() => rect(dialog.element()).width).toBe(width);
      toast.success('Bartholomew K. is now in Bed 1, Treatment.', { undo: { onUndo: () => undefined } });
      await expect.element(screen.getByRole('button', { name: 'Undo' })).toBeVisible();
      await expect.poll(() => rect(texts()[0]).right).toBeLessThanOrEqual(rect(dialog.element()).left);
      expect(rect(texts()[0]).left).toBeGreaterThanOrEqual(0);
      expect(rect(texts()[0]).width).toBeGreaterThanOrEqual(240);
    },
  );

  it('leave the links of an open drawer free', async () => {
    await page.viewport(390, 844);
    const screen = await renderView(
      <>
        <Header />
        <Drawer opened onClose={() => undefined} size={280} title="Berth" transitionProps={{ duration: 0 }}>
          <a href="/reservations" style={{ display: 'block', padding: 12 }}>
            Reservations
          </a>
        </Drawer>
      </>,
    );
    const link = screen.getByRole('link', { name: 'Reservations' });
    await expect.element(link).toBeVisible();
    toast.news('New reservation at Harbor Light Costa Mesa', { action: { label: 'Show', onAction: () => undefined } });
    await expect.element(screen.getByText('New reservation', { exact: false })).toBeVisible();
    const [message] = texts();
    await expect.poll(() => rect(message).bottom).toBeLessThanOrEqual(rect(link.element()).top);
    expect(message?.isConnected).toBe(true);
  });

  it('move with the header when the page is scrolled', async () => {
    const screen = await renderView(
      <>
        <div style={{ height: 60 }} />
        <div style={{ position: 'sticky', top: 0 }}>
          <Header />
        </div>
        <div style={{ height: 3000 }} />
      </>,
    );
    toast.success('Saved.', { undo: { onUndo: () => undefined } });
    const text = screen.getByText('Saved.');
    await expect.element(text).toBeVisible();
    await expect.poll(() => rect(texts()[0]).top).toBeGreaterThanOrEqual(60);
    window.scrollTo(0, 500);
    await expect.poll(() => rect(text.element()).top).toBeLessThan(40);
    await expect.poll(() => rect(screen.getByRole('banner').element()).top).toBe(0);
    window.scrollTo(0, 0);
  });

  it('are not left in another language, unless they can be undone: then they are marked as of theirs', async () => {
    const screen = await renderView(<Header />);
    toast.success('Saved.');
    toast.success('Moved.', { undo: { onUndo: vi.fn<() => void>() } });
    await expect.element(screen.getByText('Moved.')).toBeVisible();
    try {
      await changeLanguage('es');
      // Sooner than it would go by itself.
      await expect.element(screen.getByText('Saved.'), { timeout: 2000 }).not.toBeInTheDocument();
      await expect.element(screen.getByText('Moved.')).toBeVisible();
      expect(screen.getByText('Moved.').element().closest('[lang]')?.getAttribute('lang')).toBe('en');
    } finally {
      await changeLanguage('en');
    }
  });

  it('leave most of their width to the text on a phone, so that they cover little', async () => {
    await page.viewport(390, 844);
    const screen = await renderView(<Header />);
    toast.success('The reservation for Bartholomew K. was declined.');
    const text = screen.getByText('The reservation for Bartholomew K. was declined.');
    await expect.element(text).toBeVisible();
    await expect.poll(() => rect(text.element()).width / rect(texts()[0]).width).toBeGreaterThan(0.6);
  });

  it('have their text beside their button on a phone, so that two cover little', async () => {
    await page.viewport(390, 844);
    const screen = await renderView(<Header />);
    const action = { label: 'Show', onAction: () => undefined };
    toast.news('New reservation at Harbor Light Costa Mesa', { action });
    toast.success('The reservation for Maximiliana Q. was declined.', { undo: { onUndo: () => undefined } });
    await expect.element(screen.getByRole('button', { name: 'Undo' })).toBeVisible();
    for (const [text, name] of [
      ['New reservation at Harbor Light Costa Mesa', 'Show'],
      ['The reservation for Maximiliana Q. was declined.', 'Undo'],
    ] as const) {
      await expect
        .poll(() => rect(screen.getByText(text).element()).right)
        .toBeLessThanOrEqual(rect(screen.getByRole('button', { name }).element()).left);
    }
    await expect.poll(() => rect(texts().at(-1)).bottom).toBeLessThan(230);
  });

  it('lie below an open menu', async () => {
    const screen = await renderView(
      <>
        <Header />
        <Menu opened transitionProps={{ duration: 0 }}>
          <Menu.Target>
            <button type="button" style={{ position: 'fixed', top: 0, right: 60 }}>
              More
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item>Discharge</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </>,
    );
    toast.success('Saved.');
    await expect.element(screen.getByText('Saved.')).toBeVisible();
    const item = screen.getByRole('menuitem', { name: 'Discharge' });
    await expect.element(item).toBeVisible();
    const { left, top, width, height } = rect(item.element());
    expect(item.element().contains(document.elementFromPoint(left + width / 2, top + height / 2))).toBe(true);
  });
});

describe('Undo', () => {
  it('says that it is on its way until the outcome is told, and leaves the focus on the screen', async () => {
    const screen = await renderView(
      <>
        <h1 data-page-heading tabIndex={-1}>
          Guests
        </h1>
        <Header />
      </>,
    );
    let finish: () => void = () => undefined;
    const onUndo = () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      });
    toast.success('Declined.', { about: 'guest:ana', undo: { onUndo } });
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.element(screen.getByRole('heading', { name: 'Guests' })).toHaveFocus();
    await expect.element(screen.getByText('Undoing…')).toBeVisible();
    finish();
    await expect.element(screen.getByText('Undoing…')).not.toBeInTheDocument();
  });
});

it('a double click on Undo takes one thing back, though the message below moves up', async () => {
  const undone: string[] = [];
  const screen = await renderView(<Header />);
  for (const name of ['Ana', 'Ben']) {
    toast.success(`${name} was declined.`, { undo: { onUndo: () => void undone.push(name) } });
  }
  const undo = screen.getByRole('button', { name: 'Undo' });
  await expect.poll(() => undo.elements().length).toBe(2);
  const click = pointerAt();
  click(undo.first().element(), 0);
  await expect.poll(() => undo.elements().length).toBe(1);
  click(undo.element(), 300);
  expect(undone).toHaveLength(1);
  click(undo.element(), 1000);
  expect(undone).toHaveLength(2);
});

it('what is told after the session has ended is told to nobody', async () => {
  const screen = await renderView(<Header />);
  tellUserForgotten();
  toast.error('The last change to Anna K. was not undone.');
  toast.success('Zoe M. was declined.', { undo: { onUndo: () => undefined } });
  noteUserShown();
  toast.success('Ben L. was added.');
  await expect.element(screen.getByText('Ben L.', { exact: false })).toBeVisible();
  await expect.element(screen.getByText('Anna K.', { exact: false })).not.toBeInTheDocument();
  await expect.element(screen.getByText('Zoe M.', { exact: false })).not.toBeInTheDocument();
});
