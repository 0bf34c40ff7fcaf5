import { Component, type ReactNode, useState } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { renderView } from '@/testing/render';
import { connection } from '@/lib/lost-connection';
import { NotOpened } from './dialog/not-opened';
import { lazyDialog, lazyNamed, NotOpenedContext } from './lazy-named';

/** What stands around a part of a screen: shows a failure, and draws the part again on request. */
class Boundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError() {
    return { hasFailed: true };
  }
  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return <button onClick={() => this.setState({ hasFailed: false })}>Try again</button>;
  }
}

const module = { Part: () => <p>The part</p> };
const lost = () => Promise.reject<typeof module>(new TypeError('Failed to fetch dynamically imported module'));

describe('code that could not be loaded', () => {
  it('is asked for again by "Try again"', async () => {
    const load = vi.fn<() => Promise<typeof module>>(lost);
    const Part = lazyNamed(load, 'Part');
    const screen = await renderView(
      <Boundary>
        <Part />
      </Boundary>,
    );
    await expect.element(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
    load.mockResolvedValue(module);
    await screen.getByRole('button', { name: 'Try again' }).click();
    await expect.element(screen.getByText('The part')).toBeVisible();
  });

  it('is loaded once for all who draw it, when nothing fails', async () => {
    const load = vi.fn<() => Promise<typeof module>>().mockResolvedValue(module);
    const Part = lazyNamed(load, 'Part');
    const screen = await renderView(<Part />);
    await screen.rerender(
      <>
        <Part />
        <Part />
      </>,
    );
    await expect.element(screen.getByText('The part').last()).toBeVisible();
    expect(load).toHaveBeenCalledOnce();
  });

  it('breaks nothing where nobody asked for it, and comes with the connection', async () => {
    const load = vi.fn<() => Promise<typeof module>>(lost);
    const Part = lazyNamed(load, 'Part', { optional: true });
    const screen = await renderView(
      <Boundary>
        <h1>The screen</h1>
        <Part />
      </Boundary>,
    );
    await expect.poll(() => load.mock.settledResults.length).toBe(1);
    await expect.element(screen.getByText('The screen')).toBeVisible();
    load.mockResolvedValue(module);
    window.dispatchEvent(new Event('online'));
    await expect.element(screen.getByText('The part')).toBeVisible();
    await expect.element(screen.getByText('The screen')).toBeVisible();
  });

  it('is waited for in its place without a network: the rest of the screen stays, and the part comes with the network', async () => {
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    onTestFinished(() => online.mockRestore());
    const load = vi.fn<() => Promise<typeof module>>(lost);
    const Part = lazyNamed(load, 'Part', { fallback: <p>Loading</p> });
    const screen = await renderView(
      <Boundary>
        <h1>The screen</h1>
        <Part />
      </Boundary>,
    );
    await vi.waitFor(() => expect(load).toHaveBeenCalled());
    await expect.element(screen.getByText('Loading')).toBeVisible();
    online.mockReturnValue(true);
    load.mockResolvedValue(module);
    window.dispatchEvent(new Event('online'));
    await expect.element(screen.getByText('The part')).toBeVisible();
    await expect.element(screen.getByRole('heading', { name: 'The screen' })).toBeVisible();
  });

  it('is waited for in its place if it was given up with a silent connection, so that nothing else goes', async () => {
    connection.isLost = true;
    const load = vi.fn<() => Promise<typeof module>>(lost);
    const Part = lazyNamed(load, 'Part', { fallback: <p>Loading</p> });
    const screen = await renderView(
      <Boundary>
        <input aria-label="Note" />
        <Part />
      </Boundary>,
    );
    await screen.getByLabelText('Note').fill('Asked for a call');
    await expect.poll(() => load.mock.settledResults.length).toBe(1);
    await expect.element(screen.getByText('Loading')).toBeVisible();
    connection.isLost = false;
    load.mockResolvedValue(module);
    window.dispatchEvent(new Event('online'));
    await expect.element(screen.getByText('The part')).toBeVisible();
    await expect.element(screen.getByLabelText('Note')).toHaveValue('Asked for a call');
  });
});

describe('a dialog whose code could not be loaded', () => {
  const withDialog = {
    Box: ({ subject, onClose }: { subject: boolean; onClose: () => void }) =>
      subject ? (
        <div role="dialog" aria-label="Details">
          <button onClick={onClose}>Close</button>
        </div>
      ) : null,
  };
  const failed = () => Promise.reject<typeof withDialog>(new TypeError('Failed to fetch dynamically imported module'));

  it('is closed with a message; what was typed on the screen stays, and the next press loads it', async () => {
    const load = vi.fn<() => Promise<typeof withDialog>>(failed);
    const Box = lazyDialog(load, 'Box');
    function Screen() {
      const [isOpen, setOpen] = useState(false);
      return (
        <>
          <input aria-label="Note" />
          <button onClick={() => setOpen(true)}>Details</button>
          <Box subject={isOpen} onClose={() => setOpen(false)} />
        </>
      );
    }
    const screen = await renderView(
      <Boundary>
        <NotOpenedContext value={NotOpened}>
          <Screen />
        </NotOpenedContext>
      </Boundary>,
    );
    await screen.getByLabelText('Note').fill('Asked for a call');
    const details = screen.getByRole('button', { name: 'Details' });
    await details.click();
    const message = screen.getByText('This could not be opened. Try again, or reload the page.');
    await expect.element(message).toBeVisible();
    await expect.element(screen.getByLabelText('Note')).toHaveValue('Asked for a call');
    await expect.element(details).toHaveFocus();
    load.mockResolvedValue(withDialog);
    await details.click();
    await expect.element(screen.getByRole('dialog', { name: 'Details' })).toBeVisible();
    await expect.element(message).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Close', exact: true }).click();
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  });

  it('that must be answered leaves the error to the screen', async () => {
    const Question = lazyDialog<'Box', { subject: boolean }>(() => Promise.reject(new TypeError('Failed')), 'Box');
    const screen = await renderView(
      <Boundary>
        <NotOpenedContext value={NotOpened}>
          <Question subject />
        </NotOpenedContext>
      </Boundary>,
    );
    await expect.element(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});
