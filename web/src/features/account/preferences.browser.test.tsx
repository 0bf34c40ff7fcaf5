import { afterEach, expect, it } from 'vitest';
import { loadTexts } from '@/i18n/i18n';
import { clearPreference, readPreference } from '@/lib/preferences';
import { renderView } from '@/testing/render';
import { PreferenceSettings } from './components/preference-settings';

afterEach(() => clearPreference('startPage'));

it('a person may begin with Today, and take that back', async () => {
  await loadTexts('account');
  const screen = await renderView(<PreferenceSettings />);
  const choice = screen.getByRole('switch', { name: 'Start with Today' });
  await expect.element(choice).not.toBeChecked();
  await choice.click();
  expect(readPreference('startPage')).toBe('today');
  await choice.click();
  expect(readPreference('startPage')).toBeUndefined();
});
