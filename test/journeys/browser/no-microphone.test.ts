import { expect } from '@playwright/test';
import { test } from './serve-host.ts';

// A file of its own: this browser has no fake microphone, and nobody who would allow it one.
test('without a microphone it is said what to do, and the way on is there', async ({ recordings, owner }) => {
  const { page } = recordings;
  await recordings.open(owner.baseUrl);
  await page.getByRole('button', { name: 'Record…' }).click();
  await recordings.record.click();
  await expect(recordings.alert).toContainText(
    /does not allow this page to use the microphone.*then try again|No microphone was found\. Connect one/,
  );
  await recordings.choose('Try again').click();
  await expect(recordings.alert).toContainText('then try again');
  await page.keyboard.press('Escape');
  await expect(recordings.dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Record…' })).toBeFocused();
});
