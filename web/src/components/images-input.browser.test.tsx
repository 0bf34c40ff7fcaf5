import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { NetworkError } from '@/api/errors';
import { type ImagePrefix, uploadImage } from '@/api/upload-image';
import { writePreference } from '@/lib/preferences';
import { expectNoViolations } from '@/testing/axe';
import { renderView } from '@/testing/render';
import { serve } from '@/testing/server';
import { ImagesInput } from './images-input';
import { PictureInput } from './picture-input';

vi.mock('@/api/upload-image', () => ({ uploadImage: vi.fn() }));
const upload = vi.mocked(uploadImage);

const file = (name: string, type = 'image/jpeg') => new File(['x'], name, { type });

function Photos({ first = [] as string[] }) {
  const [paths, setPaths] = useState(first);
  return (
    <>
      <ImagesInput label="Photos" prefix="site_" value={paths} onChange={setPaths} />
      <output>{paths.join(' ')}</output>
    </>
  );
}

function Logo() {
  const [path, setPath] = useState<string | null>(null);
  return (
    <>
      <PictureInput label="Logo" prefix="org_" value={path} onChange={setPath} />
      <output>{path ?? 'none'}</output>
    </>
  );
}

function Chosen({ prefix }: { prefix: ImagePrefix }) {
  const [path, setPath] = useState<string | null>(null);
  return <PictureInput label="Front" prefix={prefix} value={path} onChange={setPath} />;
}

beforeEach(() => {
  upload.mockReset();
  upload.mockImplementation((_prefix, sent) => Promise.resolve(`uploads/site_${sent.name}`));
});

describe('photos of a site', () => {
  it('arrive in the order of choice, at most five at once, and pass the checker', async () => {
    const screen = await renderView(<Photos />);
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.jpg`);
    await userEvent.upload(
      screen.getByTestId('site_files'),
      names.map((name) => file(name)),
    );
    await expect
      .element(screen.getByText('You can upload 5 photos at once. Only the first 5 were added.'))
      .toBeVisible();
    const five = names.slice(0, 5).map((name) => `uploads/site_${name}`);
    await expect.element(screen.getByText(five.join(' '))).toBeVisible();
    await expectNoViolations(screen.container);
  });

  it('are not sent when they are of a wrong type or too large, and say so in the words of the spec', async () => {
    const screen = await renderView(<Photos />);
    const large = new File([new Uint8Array(5_242_881)], 'large.png', { type: 'image/png' });
    await userEvent.upload(screen.getByTestId('site_files'), [file('plan.svg', 'image/svg+xml'), large]);
    const type = 'File "plan.svg" has an invalid file type. Only JPEG, PNG, and GIF are allowed.';
    await expect.element(screen.getByText(type)).toBeVisible();
    await expect.element(screen.getByText('File "large.png" exceeds the size limit of 5MB.')).toBeVisible();
    expect(upload).not.toHaveBeenCalled();
  });

  it('that failed can be sent again', async () => {
    upload.mockRejectedValueOnce(new NetworkError());
    const screen = await renderView(<Photos />);
    await userEvent.upload(screen.getByTestId('site_files'), [file('a.jpg')]);
    await expect.element(screen.getByText(/An error occurred while uploading images. Please try again./)).toBeVisible();
    await screen.getByRole('button', { name: 'Try again: a.jpg' }).click();
    await expect.element(screen.getByText('uploads/site_a.jpg')).toBeVisible();
  });

  it('are put in order by buttons that keep the focus', async () => {
    const screen = await renderView(<Photos first={['a', 'b', 'c']} />);
    const first = screen.getByRole('listitem').first();
    await expect.element(first.getByRole('button', { name: 'Move forward: Photo 1' })).toBeVisible();
    expect(first.getByRole('button', { name: /backward|cover/ }).elements()).toHaveLength(0);
    const last = screen.getByRole('listitem').last();
    expect(last.getByRole('button', { name: /forward/ }).elements()).toHaveLength(0);

    await screen.getByRole('button', { name: 'Make cover: Photo 3' }).click();
    await expect.element(screen.getByText('c a b')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Move forward: Photo 1' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByText('a c b')).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByText('a b c')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Move backward: Photo 3' })).toHaveFocus();

    await screen.getByRole('button', { name: 'Delete: Photo 2' }).click();
    await expect.element(screen.getByText('a c', { exact: true })).toBeVisible();
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.element(screen.getByText('a b c')).toBeVisible();
  });

  it('are put in order from the handle by the arrow keys, which say where the photo is', async () => {
    const screen = await renderView(<Photos first={['a', 'b', 'c']} />);
    const handle = screen.getByRole('button', { name: 'Move: Photo 1' });
    await handle.click();
    await userEvent.keyboard(' ');
    await expect.element(handle).toHaveAttribute('aria-pressed', 'true');
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(screen.getByText('Position 2 of 3.')).toBeInTheDocument();
    await userEvent.keyboard(' ');
    await expect.element(screen.getByText('b a c')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Move: Photo 2' })).toHaveFocus();

    await userEvent.keyboard(' ');
    await expect.element(screen.getByText('Photo 2 of 3 lifted.')).toBeInTheDocument();
    // What was said of the step before is not left to be read.
    const said = () => [...screen.container.querySelectorAll('[role=status]')].map((status) => status.textContent);
    expect(said()).not.toContain('Photo moved to position 2 of 3.');
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByText('The photo stays where it was.')).toBeInTheDocument();
    await expect.element(screen.getByText('b a c')).toBeVisible();
    await expectNoViolations(screen.container);
  });
});

describe('one picture', () => {
  it('is shown while it is on its way, kept, and taken away again', async () => {
    let arrive: (path: string) => void = () => undefined;
    upload.mockImplementationOnce((_prefix, _file, options) => {
      options?.onProgress?.(0.5);
      return new Promise((resolve) => {
        arrive = resolve;
      });
    });
    const screen = await renderView(<Logo />);
    await userEvent.upload(screen.getByTestId('org_file'), [file('logo.png', 'image/png')]);
    await expect.element(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50');
    await expect.element(screen.getByRole('button', { name: 'Cancel: Logo' })).toBeVisible();
    arrive('uploads/org_logo.png');
    await expect.element(screen.getByText('uploads/org_logo.png')).toBeVisible();
    await expectNoViolations(screen.container);
    await screen.getByRole('button', { name: 'Remove: Logo' }).click();
    await expect.element(screen.getByText('none')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Choose image: Logo' })).toHaveFocus();
  });

  it.each([
    ['card_', 'light'],
    ['card_', 'dark'],
    ['org_', 'dark'],
    ['room_', 'dark'],
  ] as const)(
    'looks the same when it was just chosen and when the form is opened again: %s, %s',
    async (prefix, scheme) => {
      const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="5"/>';
      serve(
        http.get('/files/uploads/*', () => new HttpResponse(drawing, { headers: { 'content-type': 'image/svg+xml' } })),
      );
      writePreference('colorScheme', scheme);
      onTestFinished(() => writePreference('colorScheme', 'light'));
      const looks = (image: Element) => {
        const { objectFit, backgroundColor, width, height } = getComputedStyle(image);
        const behind = image.parentElement ? getComputedStyle(image.parentElement).backgroundColor : '';
        const isClear = backgroundColor === 'rgba(0, 0, 0, 0)';
        const background = objectFit === 'cover' ? 'none' : isClear ? behind : backgroundColor;
        return { objectFit, background, width, height };
      };
      const opened = await renderView(
        <PictureInput label="Front" prefix={prefix} value="uploads/front.svg" onChange={() => undefined} />,
      );
      const kept = opened.getByRole('img', { name: 'Current image: Front' });
      await expect.element(kept).toBeVisible();
      const expected = looks(kept.element());
      await opened.unmount();
      const screen = await renderView(<Chosen prefix={prefix} />);
      await userEvent.upload(screen.getByTestId(`${prefix}file`), [file('front.png', 'image/png')]);
      const chosen = screen.getByRole('img', { name: 'Chosen image: Front' });
      await expect.element(chosen).toBeInTheDocument();
      expect(looks(chosen.element())).toEqual(expected);
      expect(expected.objectFit).toBe(prefix === 'room_' ? 'cover' : 'contain');
      expect(expected.background === 'rgb(255, 255, 255)').toBe(prefix === 'org_');
    },
  );

  it('of a wrong type or too large is refused with the words for one file', async () => {
    const screen = await renderView(<Logo />);
    await userEvent.upload(screen.getByTestId('org_file'), [file('logo.svg', 'image/svg+xml')]);
    const words = 'Invalid file type. Only jpeg, jpg, png, gif are allowed.';
    await expect.element(screen.getByText(words)).toBeVisible();
    const large = new File([new Uint8Array(5_242_881)], 'large.png', { type: 'image/png' });
    await userEvent.upload(screen.getByTestId('org_file'), [large]);
    await expect.element(screen.getByText('File size exceeds the limit of 5 MB.')).toBeVisible();
    expect(upload).not.toHaveBeenCalled();
  });

  it('that fails says so and can be sent again', async () => {
    upload.mockRejectedValueOnce(new NetworkError());
    const screen = await renderView(<Logo />);
    await userEvent.upload(screen.getByTestId('org_file'), [file('logo.png', 'image/png')]);
    const words = screen.getByText('An error occurred while uploading the image. Please try again.');
    await expect.element(words).toBeVisible();
    await screen.getByRole('button', { name: /Try again/ }).click();
    await expect.element(screen.getByText('uploads/site_logo.png')).toBeVisible();
    await expect.element(words).not.toBeInTheDocument();
  });

  it('that is rejected leaves the field as it was', async () => {
    const screen = await renderView(<Logo />);
    const reject = async () => {
      await userEvent.upload(screen.getByTestId('org_file'), [file('logo.svg', 'image/svg+xml')]);
      await expect.element(screen.getByText(/^Invalid file type/)).toBeVisible();
    };
    await reject();
    await expect.element(screen.getByRole('button', { name: 'Choose image: Logo' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Remove: Logo' }).query()).toBeNull();

    await userEvent.upload(screen.getByTestId('org_file'), [file('logo.png', 'image/png')]);
    const kept = screen.getByRole('img', { name: 'Chosen image: Logo' });
    await expect.element(kept).toBeVisible();
    await reject();
    await expect.element(kept).toBeVisible();
    await screen.getByRole('button', { name: 'Remove: Logo' }).click();
    await expect.element(screen.getByText('none')).toBeVisible();
    expect(screen.getByText(/^Invalid file type/).query()).toBeNull();
  });
});

it('says that files can be dropped only where they can be', async () => {
  const words = ['Or drop files here. JPEG', 'Or drop it here. JPEG'];
  const both = (
    <>
      <Photos />
      <Logo />
    </>
  );
  const withMouse = await renderView(both);
  for (const word of words) await expect.element(withMouse.getByText(word, { exact: false })).toBeVisible();
  await withMouse.unmount();
  const ask = window.matchMedia.bind(window);
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ask(query === '(pointer: coarse)' ? 'all' : query));
  onTestFinished(() => void vi.restoreAllMocks());
  const withFinger = await renderView(both);
  await expect.element(withFinger.getByText('JPEG, PNG or GIF, up to 5 MB.', { exact: true })).toBeVisible();
  for (const word of words) expect(withFinger.getByText(word, { exact: false }).elements()).toEqual([]);
});
