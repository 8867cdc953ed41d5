import { expect } from '@playwright/test';
import { defaultSettings } from '../../src/contract/service/settings.ts';
import { hostProblemText, teamHostSettingText as text } from '../../src/text/service/team-host-text.ts';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { test } from './canned-service.ts';

const url = 'https://team.example.com';
const replies = {
  '/portal/settings': defaultSettings,
  '/portal/owners': { owners: [] },
  '/portal/sessions': { sessions: [] },
};

test('a host for a team is connected in the settings of the desktop app, and what it says of a key is at its field', async ({
  view,
  show,
}, testInfo) => {
  const refusal = hostProblemText({ kind: 'key_refused' }, url);
  await view.page.addInitScript((wrongKey) => {
    let state: object | null = null;
    Reflect.set(globalThis, 'rotavox', {
      readTeamHost: () => Promise.resolve(state),
      connectTeamHost: (typed: string, key: string) => {
        if (key === 'rvx_wrong_key') return Promise.resolve({ problem: wrongKey });
        state = { url: typed, problem: null, needsKey: false };
        return Promise.resolve({ problem: null });
      },
      disconnectTeamHost: () => {
        state = null;
        return Promise.resolve();
      },
    });
  }, refusal);
  await show('/settings', replies);
  const setting = view.page.getByRole('group', { name: text.title });
  await expect(setting).toContainText(text.none);
  await setting.getByLabel(text.address.label).fill(url);
  await setting.getByLabel(text.key.label).fill('rvx_wrong_key');
  await setting.getByRole('button', { name: text.connect, exact: true }).click();
  await expect(setting).toContainText(refusal);
  await expect(setting.getByLabel(text.key.label)).toBeFocused();
  await expectGoodView(view);
  await view.page.setViewportSize({ width: 360, height: 800 });
  await view.page.emulateMedia({ colorScheme: 'dark' });
  await setting.screenshot({ path: testInfo.outputPath('narrow.png') });

  await setting.getByLabel(text.key.label).fill('rvx_right_key');
  await setting.getByRole('button', { name: text.connect, exact: true }).click();
  await expect(setting).toContainText(text.connected(url));
  await expect(setting.getByLabel(text.key.label)).toBeHidden();
  await setting.getByRole('button', { name: text.disconnect }).click();
  await expect(setting).toContainText(text.none);
});

test('there is no such setting in a browser', { tag: '@long' }, async ({ view, show }) => {
  await show('/settings', replies);
  await expect(view.page.getByRole('region', { name: 'This computer' })).toBeVisible();
  await expect(view.page.getByRole('group', { name: text.title })).toBeHidden();
});
