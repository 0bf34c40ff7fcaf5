import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { expectNoViolations } from '@/testing/axe';
import { renderView } from '@/testing/render';
import { lazyDialog } from '../lazy-named';
import { MenuButton } from '../menu-button';
import { ConfirmDialog } from './confirm-dialog';
import { Dialog } from './dialog';

/** A dialog that is opened from a menu; it holds a field without a form. */
function FromMenu() {
  const [subject, setSubject] = useState<{ name: string } | null>(null);
  return (
    <>
      <h1 tabIndex={-1} data-page-heading>
        Houses
      </h1>
      {['Anchor', 'Beacon'].map((name) => (
        <MenuButton
          key={name}
          label={`Actions for ${name}`}
          entries={[{ label: 'Rename', onSelect: () => setSubject({ name }) }]}
        />
      ))}
      <Dialog subject={subject} title={({ name }) => `Rename ${name}`} onClose={() => setSubject(null)}>
        {({ name }) => (
          <>
            <input aria-label="Name" defaultValue={name} data-autofocus />
            <Button onClick={() => setSubject(null)}>Done</Button>
          </>
        )}
      </Dialog>
    </>
  );
}

async function openFromMenu(name: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
}

describe('a dialog', () => {
  it('gives the focus back to the button of the menu it was opened from, at once', async () => {
    await renderView(<FromMenu />);
    await openFromMenu('Beacon');
    await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus();
    await expectNoViolations();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('button', { name: 'Actions for Beacon' })).toHaveFocus();
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    await expect.element(page.getByRole('button', { name: 'Actions for Beacon' })).toHaveFocus();
  });

  it('gives the focus back in the same way to those who want no motion, for whom the menu is gone at once', async () => {
    const motion = (value: string) => ({ features: [{ name: 'prefers-reduced-motion', value }] });
    await cdp().send('Emulation.setEmulatedMedia', motion('reduce'));
    try {
      await renderView(<FromMenu />);
      await openFromMenu('Beacon');
      await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus();
      await userEvent.keyboard('{Escape}');
      await expect.element(page.getByRole('button', { name: 'Actions for Beacon' })).toHaveFocus();
      await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
      await expect.element(page.getByRole('button', { name: 'Actions for Beacon' })).toHaveFocus();
    } finally {
      await cdp().send('Emulation.setEmulatedMedia', motion(''));
    }
  });

  it('gives the focus back for good when it is answered in the moment in which it appears', async () => {
    await renderView(<FromMenu />);
    const answered = new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        const done = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Done');
        if (!done) return;
        observer.disconnect();
        done.focus();
        done.click();
        resolve();
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
    await openFromMenu('Beacon');
    await answered;
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    expect(document.activeElement).toBe(page.getByRole('button', { name: 'Actions for Beacon' }).element());
  });

  describe('answers a double press once:', () => {
    /** A button that opens a question, and moves so far down that the question lies where it was. */
    function Question({ onCancel }: { onCancel: () => void }) {
      const [isOpen, setOpen] = useState(false);
      return (
        <>
          <Button style={{ position: 'fixed', inset: 0, width: '100%', height: '100%' }} onClick={() => setOpen(true)}>
            Decline
          </Button>
          <Dialog subject={isOpen} title="Decline Ana?" onClose={() => setOpen(false)}>
            <Button
              data-autofocus
              onClick={() => {
                onCancel();
                setOpen(false);
              }}
            >
              Cancel
            </Button>
          </Dialog>
        </>
      );
    }

    const question = page.getByRole('dialog', { name: 'Decline Ana?' });
    const opener = page.getByRole('button', { name: 'Decline' });

    async function draw() {
      const cancel = vi.fn<() => void>();
      await renderView(<Question onCancel={cancel} />);
      return cancel;
    }

    it('a double click opens the dialog and does not close it by the click beside it', async () => {
      await draw();
      await opener.dblClick({ position: { x: 10, y: 10 } });
      await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus();
      expect(question.elements()).toHaveLength(1);
      await userEvent.click(document.querySelector('.mantine-Modal-overlay') ?? document.body, {
        position: { x: 10, y: 10 },
      });
      await expect.element(question).not.toBeInTheDocument();
    });

    it('a double Enter opens the dialog and does not press what has the focus there', async () => {
      const cancel = await draw();
      (opener.element() as HTMLElement).focus();
      await userEvent.keyboard('{Enter}');
      await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      expect(cancel).not.toHaveBeenCalled();
    });

    it('another key in between is the next press: it is meant', async () => {
      await draw();
      (opener.element() as HTMLElement).focus();
      await userEvent.keyboard('{Enter}');
      await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus();
      await userEvent.keyboard('{Tab}{Shift>}{Tab}{/Shift}{Enter}');
      await expect.element(question).not.toBeInTheDocument();
    });

    it('a double Enter on the three dots opens the menu and chooses nothing from it', async () => {
      await renderView(<FromMenu />);
      (page.getByRole('button', { name: 'Actions for Beacon' }).element() as HTMLElement).focus();
      await userEvent.keyboard('{Enter}');
      await expect.element(page.getByRole('menuitem', { name: 'Rename' })).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      await expect.element(page.getByRole('menuitem', { name: 'Rename' })).toHaveFocus();
      expect(page.getByRole('dialog').elements()).toHaveLength(0);
    });

    it('a double click on an entry of a menu does not press what lies under the menu', async () => {
      const press = vi.fn<() => void>();
      await renderView(
        <>
          <FromMenu />
          <button type="button" onClick={press}>
            Detox 4
          </button>
        </>,
      );
      await page.getByRole('button', { name: 'Actions for Beacon' }).click();
      const entry = page.getByRole('menuitem', { name: 'Rename' });
      const pressed = new Promise<MouseEvent>((resolve) => {
        (entry.element() as HTMLElement).addEventListener('click', resolve, { once: true });
      });
      await entry.click();
      const { clientX, clientY, timeStamp } = await pressed;
      await expect.element(page.getByRole('dialog', { name: 'Rename Beacon' })).toBeVisible();
      // The menu has gone by the time of the second click, whose time a busy machine would make too late.
      const second = new PointerEvent('click', { bubbles: true, cancelable: true, detail: 2, clientX, clientY });
      Object.defineProperty(second, 'timeStamp', { value: timeStamp + 200 });
      page.getByText('Detox 4').element().dispatchEvent(second);
      expect(press).not.toHaveBeenCalled();
    });

    it('an Enter after a press of the mouse is meant, however soon it comes after another one', async () => {
      await renderView(<FromMenu />);
      for (const name of ['Anchor', 'Beacon']) {
        /* oxlint-disable no-await-in-loop -- one after the other */
        await page.getByRole('button', { name: `Actions for ${name}` }).click();
        await expect.element(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
        (page.getByRole('menuitem', { name: 'Rename' }).element() as HTMLElement).focus();
        await userEvent.keyboard('{Enter}');
        await expect.element(page.getByRole('dialog', { name: `Rename ${name}` })).toBeVisible();
        await page.getByRole('button', { name: 'Done' }).click();
        await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
      }
    });

    it('a double Enter on the answer closes the dialog and does not open it again', async () => {
      await draw();
      await opener.click({ position: { x: 10, y: 10 } });
      await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      await expect.element(opener).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      await expect.element(question).not.toBeInTheDocument();
    });
  });

  it('starts with fresh state each time it is opened', async () => {
    await renderView(<FromMenu />);
    await openFromMenu('Anchor');
    await page.getByRole('textbox', { name: 'Name' }).fill('Something else');
    await page.getByRole('button', { name: 'Done' }).click();
    await openFromMenu('Beacon');
    await expect.element(page.getByRole('dialog', { name: 'Rename Beacon' })).toBeVisible();
    await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Beacon');
  });

  it('keeps its words while it fades out', async () => {
    await renderView(<FromMenu />);
    await openFromMenu('Beacon');
    await expect.element(page.getByRole('dialog', { name: 'Rename Beacon' })).toBeVisible();
    const titles = new Set<string>();
    const title = page.getByRole('heading', { name: 'Rename Beacon' }).element();
    const observer = new MutationObserver(() => titles.add(title.textContent ?? ''));
    observer.observe(title, { childList: true, characterData: true, subtree: true });
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    observer.disconnect();
    expect([...titles]).toEqual([]);
  });

  it.each([350, 600, 800] as const)('is %i px wide', async (width) => {
    await page.viewport(1360, 900);
    await renderView(
      <Dialog subject title="Terms" width={width} onClose={() => undefined}>
        Text
      </Dialog>,
    );
    await expect.poll(() => page.getByRole('dialog').element().getBoundingClientRect().width).toBe(width);
  });

  it('sends the focus to the heading of the page when what opened it is gone', async () => {
    function Vanishing() {
      const [isThere, setThere] = useState(true);
      const [isOpen, setOpen] = useState(false);
      return (
        <>
          <h1 tabIndex={-1} data-page-heading>
            Houses
          </h1>
          {isThere ? <Button onClick={() => setOpen(true)}>Delete</Button> : null}
          <Dialog subject={isOpen} title="Delete?" onClose={() => setOpen(false)}>
            <Button
              onClick={() => {
                setThere(false);
                setOpen(false);
              }}
            >
              Yes
            </Button>
          </Dialog>
        </>
      );
    }
    await renderView(<Vanishing />);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Yes' }).click();
    await expect.element(page.getByRole('heading', { name: 'Houses' })).toHaveFocus();
  });

  it('alone answers Escape when it lies over another one', async () => {
    function Two() {
      const [isOpen, setOpen] = useState(true);
      const [isAsking, setAsking] = useState(false);
      return (
        <>
          <ConfirmDialog
            subject={isAsking}
            title="Sure?"
            confirmLabel="Yes"
            onConfirm={() => undefined}
            onCancel={() => setAsking(false)}
          />
          <Dialog subject={isOpen} title="Form" onClose={() => setOpen(false)}>
            <Button onClick={() => setAsking(true)}>Ask</Button>
          </Dialog>
        </>
      );
    }
    await renderView(<Two />);
    await page.getByRole('button', { name: 'Ask' }).click();
    // The question was drawn first and lies above all the same.
    await page.getByRole('button', { name: 'Yes' }).click();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('dialog', { name: 'Sure?' })).not.toBeInTheDocument();
    await expect.element(page.getByRole('dialog', { name: 'Form' })).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Ask' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  });
});

it('a dialog whose code comes late gives the focus back to what opened it', async () => {
  let arrive = () => undefined as void;
  function Late({ subject, onClose }: { subject: string | null; onClose: () => void }) {
    return (
      <Dialog subject={subject} title="Late" onClose={onClose}>
        <input aria-label="Name" data-autofocus />
      </Dialog>
    );
  }
  const code = new Promise<{ Late: typeof Late }>((resolve) => {
    arrive = () => resolve({ Late });
  });
  const Lazy = lazyDialog(() => code, 'Late');
  function Screen() {
    const [subject, setSubject] = useState<string | null>(null);
    return (
      <Suspense fallback="the page is gone">
        <MenuButton label="Actions" entries={[{ label: 'Edit', onSelect: () => setSubject('it') }]} />
        <button type="button">Elsewhere</button>
        <Lazy subject={subject} onClose={() => setSubject(null)} />
      </Suspense>
    );
  }
  await renderView(<Screen />);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  (page.getByRole('button', { name: 'Elsewhere' }).element() as HTMLElement).focus();
  arrive();
  await expect.element(page.getByRole('dialog', { name: 'Late' })).toBeVisible();
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('button', { name: 'Actions' })).toHaveFocus();
});

/** Asks about a guest; the button goes a moment after the dialog, when the page has loaded again. */
function Discharging() {
  const [isOpen, setOpen] = useState(false);
  const [isHere, setHere] = useState(true);
  return (
    <>
      <h1 tabIndex={-1} data-page-heading>
        Ana
      </h1>
      {isHere ? <button onClick={() => setOpen(true)}>Discharge</button> : null}
      <button onClick={() => setHere(false)}>Load again</button>
      <Dialog subject={isOpen} title="Discharge Ana?" onClose={() => setOpen(false)}>
        <button onClick={() => setOpen(false)}>Yes</button>
      </Dialog>
    </>
  );
}

it('the focus goes to the heading of the page when what opened a dialog disappears after it', async () => {
  await renderView(<Discharging />);
  const opener = page.getByRole('button', { name: 'Discharge' });
  await opener.click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await expect.element(opener).toHaveFocus();
  const reload = page.getByRole('button', { name: 'Load again' }).element();
  if (reload instanceof HTMLElement) reload.click();
  await expect.element(page.getByRole('heading', { name: 'Ana' })).toHaveFocus();
});
