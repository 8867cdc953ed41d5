import { expect } from '@playwright/test';
import type { NetworkStatus } from '../../src/contract/service/network.ts';
import { defaultSettings } from '../../src/contract/service/settings.ts';
import { moveProblem } from '../../src/text/cli/cli-vault.ts';
import { endAllText } from '../../src/text/token/end-all.ts';
import { noProxyText, proxyAddressText } from '../../src/text/service/network-text.ts';
import { settingsText } from '../../src/text/service/settings-text.ts';
import { whereTokensAre } from '../../src/text/credential/vault-text.ts';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { SettingsPage } from '../journeys/pages/settings-page.ts';
import { credentialView } from '../renderer/credentials/credential-view.ts';
import { cannedStatus, Refusal, test } from './canned-service.ts';

const { vault: vaultText, network: networkText } = settingsText;
const keychain = { kind: 'keychain' } as const;
const keyFile = { kind: 'file', key: 'file' } as const;
const passphrase = { kind: 'file', key: 'passphrase' } as const;
const places = { keychain, file: keyFile };

function withVault(vault: object) {
  return {
    '/portal/status': { ...cannedStatus, vault },
  };
}

for (const [from, to] of [
  ['file', 'keychain'],
  ['keychain', 'file'],
] as const)
  test(
    `tokens are moved from the ${from} to the ${to} after what it does was read, by mouse and by keyboard`,
    { tag: '@long' },
    async ({ view, show, canned }) => {
      const settings = new SettingsPage(view.page);
      const setting = settings.setting(vaultText.title);
      const ask = setting.getByRole('button', { name: vaultText.move[from] });
      const dialog = view.page.getByRole('dialog', { name: vaultText.question[from] });
      const move = dialog.getByRole('button', { name: vaultText.confirm });
      for (const way of ['mouse', 'keyboard'] as const) {
        await show('/settings#computer', withVault(places[from]));
        await expect(setting).toContainText(whereTokensAre(places[from]));
        const vault = places[to];
        canned.onChange(
          '/portal/vault/move',
          { moved: 2, vault },
          { '/portal/status': { ...cannedStatus, vault } },
        );
        if (way === 'mouse') {
          await expectGoodView(view);
          await ask.click();
          await expect(dialog.getByRole('listitem')).toHaveText([...vaultText.consequences[from]]);
          await expectGoodView(view);
          await dialog.getByRole('button', { name: vaultText.cancel }).click();
          await expect(dialog).toBeHidden();
          expect(canned.bodies.size, 'nothing is moved').toBe(0);
          await ask.click();
          await move.click();
        } else {
          await view.tabTo(ask);
          await view.page.keyboard.press('Enter');
          await expect(dialog).toBeVisible(); // or Escape comes before it, and Space into it
          await view.page.keyboard.press('Escape');
          await expect(dialog).toBeHidden();
          await expect(ask).toBeFocused();
          await view.page.keyboard.press('Space');
          await view.tabTo(move);
          await view.page.keyboard.press('Enter');
        }
        await expect(dialog).toBeHidden();
        expect(canned.bodies.get('/portal/vault/move')).toEqual({ to });
        await expect(setting).toContainText(whereTokensAre(places[to]));
        await expect(setting.getByRole('button'), 'the way back').toHaveText(vaultText.move[to]);
        await expect(setting.getByRole('button')).toBeFocused();
      }
    },
  );

test(
  'a move that is refused or gets no answer says so where it was asked for, and can be tried again',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    const settings = new SettingsPage(view.page);
    const setting = settings.setting(vaultText.title);
    await show('/settings#computer', withVault(passphrase));
    await setting.getByRole('button').click();
    const dialog = view.page.getByRole('dialog');
    const move = dialog.getByRole('button', { name: vaultText.confirm });
    const taken = moveProblem.taken({ service: 'rotavox', account: 'nightly' });
    for (const [reply, words] of [
      [new Refusal(409, taken), taken],
      [new Refusal(502), '502'],
    ] as const) {
      canned.replies.set('/portal/vault/move', reply);
      await move.click();
      await expect(dialog.getByRole('alert')).toContainText(words);
      if (words === taken) await expectGoodView(view);
    }
    canned.onChange(
      '/portal/vault/move',
      { moved: 1, vault: keychain },
      { '/portal/status': { ...cannedStatus, vault: keychain } },
    );
    await move.click();
    await expect(dialog).toBeHidden();
    await expect(setting).toContainText(whereTokensAre(keychain));
  },
);

test('a window shows a move that was made elsewhere', async ({ view, show, canned }) => {
  const settings = new SettingsPage(view.page);
  const setting = settings.setting(vaultText.title);
  await show('/settings#computer', withVault(keyFile));
  await expect(setting).toContainText(whereTokensAre(keyFile));
  await view.expectRunning();
  canned.change({ '/portal/status': { ...cannedStatus, vault: keychain } });
  await expect(setting).toContainText(whereTokensAre(keychain));
  await expect(setting.getByRole('button')).toHaveText(vaultText.move.keychain);
});

test(
  'tokens of a team are not moved, and a key that a passphrase protects promises no more than that',
  { tag: '@long' },
  async ({ view, show }) => {
    const settings = new SettingsPage(view.page);
    const setting = settings.setting(vaultText.title);
    for (const kind of ['postgres', 'memory'] as const) {
      await show('/settings#computer', withVault({ kind }));
      await expect(setting).toContainText(whereTokensAre({ kind }));
      await expect(setting.getByRole('button')).toHaveCount(0);
    }
    await show('/settings#computer', withVault(passphrase));
    await expect(setting).toContainText(whereTokensAre(passphrase));
  },
);

const proxyUrl = 'http://proxy.corp.example:3128';
const noProxy: NetworkStatus = {
  proxy: { setting: 'system', used: null, source: null, has_login: false, problem: null },
  certificates: { file: null, count: 0, extra: false, problem: null },
};
const proxied: NetworkStatus['proxy'] = {
  setting: proxyUrl,
  used: 'proxy.corp.example:3128',
  source: 'setting',
  has_login: false,
  problem: null,
};

function withNetwork(network: NetworkStatus, changed: object = {}) {
  return {
    '/portal/status': { ...cannedStatus, ...network },
    '/portal/settings': { ...defaultSettings, first_steps: 'dismissed', ...changed },
  };
}

test('the proxy, its exceptions and the certificates are saved when they are left or Enter is pressed', async ({
  view,
  show,
  canned,
}) => {
  const settings = new SettingsPage(view.page);
  await show('/settings#network', withNetwork(noProxy));
  await view.expectRunning();
  const present: Record<string, unknown> = { ...defaultSettings, first_steps: 'dismissed' };
  await expectGoodView(view);
  for (const [text, name, typed] of [
    [networkText.proxy, 'proxy', proxyUrl],
    [networkText.exceptions, 'no_proxy', '.corp.example, 10.0.0.0/8'],
    [networkText.certificates, 'certificates', '/etc/ssl/company-root.pem'],
  ] as const) {
    const setting = settings.setting(text.title);
    const field = setting.getByLabel(text.label);
    const before = present[name];
    canned.replies.set('/portal/settings', { ...present, [name]: typed });
    await field.fill(typed);
    await field.press('Enter');
    await expect(settings.saved(text.title)).toBeVisible();
    expect(canned.bodies.get('/portal/settings')).toEqual({ [name]: typed });
    // Empty is what it was at first; by mouse, which leaves the field.
    canned.replies.set('/portal/settings', { ...present });
    await field.fill('');
    await view.page.getByRole('heading', { level: 1 }).click();
    await expect.poll(() => canned.bodies.get('/portal/settings')).toEqual({ [name]: before });
    await expect(field).toHaveValue(name === 'proxy' ? 'system' : '');
  }
});

test(
  'an address that is none, and a file that is not there, are refused at their fields',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    const settings = new SettingsPage(view.page);
    await show('/settings#network', withNetwork(noProxy));
    await view.expectRunning();
    for (const [text, typed, refusal, words] of [
      [
        networkText.proxy,
        'socks5://proxy.example:1080',
        new Refusal(400, proxyAddressText('socks')),
        proxyAddressText('socks'),
      ],
      [
        networkText.certificates,
        '/etc/ssl/missing.pem',
        new Refusal(400, 'The file does not exist.'),
        'The file does not exist.',
      ],
      [
        networkText.exceptions,
        'a b',
        new Refusal(400, 'Bad request', {
          code: 'bad_request',
          errors: [{ field: 'no_proxy', message: 'must be names' }],
        }),
        'This must be names.',
      ],
      [networkText.proxy, 'off', new Refusal(502), '502'],
    ] as const) {
      const setting = settings.setting(text.title);
      const field = setting.getByLabel(text.label);
      canned.replies.set('/portal/settings', refusal);
      await field.fill(typed);
      await field.press('Enter');
      await expect(field).toHaveAccessibleDescription(new RegExp(words.replace(/[.*+?()[\]\\]/g, '\\$&')));
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await expect(field, 'what was typed stays').toHaveValue(typed);
    }
    await expectGoodView(view);
  },
);

test('what calls do now is said, with what is wrong with it', async ({ view, show, canned }) => {
  const settings = new SettingsPage(view.page);
  const problem = 'The file in the setting “certificates” (/etc/ssl/company-root.pem) does not exist.';
  await show('/settings#network', withNetwork(noProxy));
  for (const [network, changed, now, trusted] of [
    [noProxy, {}, networkText.proxy.nowNone, 'those of the system'],
    [
      {
        proxy: { ...proxied, has_login: true },
        certificates: { file: '/etc/ssl/company-root.pem', count: 2, extra: true, problem: null },
      },
      { proxy: proxyUrl, certificates: '/etc/ssl/company-root.pem' },
      'proxy.corp.example:3128, with a password',
      '2 certificates of /etc/ssl/company-root.pem',
    ],
    [
      {
        proxy: {
          setting: 'system',
          used: null,
          source: 'HTTPS_PROXY',
          has_login: false,
          problem: 'HTTPS_PROXY: It must begin with http:// or https://.',
        },
        certificates: { file: '/etc/ssl/company-root.pem', count: 0, extra: false, problem },
      },
      { certificates: '/etc/ssl/company-root.pem' },
      'HTTPS_PROXY: It must begin',
      problem,
    ],
  ] as const) {
    canned.change(withNetwork(network, changed));
    await expect(settings.setting(networkText.proxy.title)).toContainText(now);
    await expect(settings.setting(networkText.certificates.title)).toContainText(trusted);
    if (network !== noProxy) await expectGoodView(view); // that one is looked at above
  }
});

test(
  'the sign-in to the proxy is there with a proxy, is sent once and is not shown again',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    const settings = new SettingsPage(view.page);
    const { title, user, password, save } = networkText.login;
    const setting = settings.setting(title);
    await show('/settings#network', withNetwork(noProxy));
    await expect(settings.setting(networkText.proxy.title)).toBeVisible();
    await expect(setting).toHaveCount(0);

    for (const way of ['mouse', 'keyboard'] as const) {
      const network = { ...noProxy, proxy: proxied };
      await show('/settings#network', withNetwork(network, { proxy: proxyUrl }));
      await view.expectRunning();
      const button = setting.getByRole('button', { name: save });
      await expect(setting.getByLabel(password)).toHaveAttribute('type', 'password');
      canned.replies.set('/portal/network/login', new Refusal(409, noProxyText));
      await setting.getByLabel(user).fill('worker');
      await setting.getByLabel(password).fill('a secret');
      if (way === 'mouse') await button.click();
      else await view.page.keyboard.press('Enter');
      await expect(setting).toContainText(noProxyText);
      await expect(setting.getByLabel(password), 'to be tried again').toHaveValue('a secret');
      if (way === 'mouse') await expectGoodView(view);
      canned.replies.set('/portal/network/login', {
        ...network,
        proxy: { ...proxied, has_login: true },
      });
      await view.tabTo(button);
      await view.page.keyboard.press('Space');
      await expect(settings.saved(title)).toBeVisible();
      await expect(setting.getByLabel(password)).toHaveValue('');
      expect(canned.bodies.get('/portal/network/login')).toEqual({ user: 'worker', password: 'a secret' });
      await expect(settings.setting(networkText.proxy.title)).toContainText('with a password');

      const remove = setting.getByRole('button', { name: networkText.login.remove });
      if (way === 'mouse') await expectGoodView(view);
      canned.replies.set(
        '/portal/network/login',
        new Refusal(503, 'The vault is locked.', { code: 'locked' }),
      );
      await remove.click();
      await expect(setting).toContainText('The vault is locked.');
      canned.replies.set('/portal/network/login', network);
      if (way === 'mouse') await remove.click();
      else {
        await view.tabTo(remove);
        await view.page.keyboard.press('Enter');
      }
      await expect(remove).toHaveCount(0);
      await expect(setting.getByLabel(user), 'the focus is not lost').toBeFocused();
      await expect(settings.setting(networkText.proxy.title)).not.toContainText('with a password');
    }
  },
);

test(
  'a sign-in that gets no answer says how to find out whether it is stored',
  { tag: '@long' },
  async ({ view, show }) => {
    const settings = new SettingsPage(view.page);
    const { title, user, save } = networkText.login;
    await show('/settings#network', withNetwork({ ...noProxy, proxy: proxied }, { proxy: proxyUrl }));
    await view.page.route('**/portal/network/login', (route) => route.abort());
    await settings.setting(title).getByLabel(user).fill('worker');
    await settings.setting(title).getByRole('button', { name: save }).click();
    await expect(settings.setting(title)).toContainText('show whether a password is stored');
  },
);

test(
  'a move that gets no answer says how to find out where the tokens are',
  { tag: '@long' },
  async ({ view, show }) => {
    const settings = new SettingsPage(view.page);
    await show('/settings#computer', withVault(keyFile));
    await view.page.route('**/portal/vault/move', (route) => route.abort());
    await settings.setting(vaultText.title).getByRole('button').click();
    const dialog = view.page.getByRole('dialog');
    await dialog.getByRole('button', { name: vaultText.confirm }).click();
    await expect(dialog.getByRole('alert')).toContainText('show where the tokens are');
  },
);

const credentialVault = { kind: 'keychain', description: 'the keychain', status: 'ok', message: null };
const remote = (name: string, kind: object) =>
  credentialView({ name, service: 'remote', base_url: `https://${name}.example.com`, ...kind });
const gitlab = { provider: { id: 'gitlab', inputs: { kind: 'personal' } } };
const npm = { provider: { id: 'assisted', inputs: { service: 'npm' } } };

test('all tokens are ended one after the other, after the list of them was read', async ({
  view,
  show,
  canned,
}) => {
  const settings = new SettingsPage(view.page);
  const setting = settings.setting(endAllText.title);
  const dialog = view.page.getByRole('dialog', { name: endAllText.question });
  const items = dialog.getByRole('listitem');
  const credentials = [remote('deploy', gitlab), remote('stuck', gitlab), remote('registry', npm)];
  const end = (name: string) => `/portal/credentials/${name}/end`;
  const alive = { outcome: 'alive', message: 'It has no call for that.', page: null };
  const refusal = 'It could not be ended. It did not answer.';
  await show('/settings#computer', {
    ...withVault(keyFile),
    '/portal/credentials': { credentials, vault: credentialVault },
    '/portal/proxy': { credentials: [] },
    '/portal/tokens': { tokens: [], next_after: null, total: 0 },
    [end('deploy')]: { outcome: 'ended', message: null, page: null },
    [end('stuck')]: new Refusal(409, refusal),
    [end('registry')]: alive,
  });
  const open = setting.getByRole('button', { name: endAllText.open });
  await open.click();
  await expect(dialog).toContainText(endAllText.ends(2));
  await expect(dialog).toContainText(endAllText.byPerson(1));
  await expect(items).toHaveCount(3);
  await expect(items.last()).toContainText('https://www.npmjs.com/settings/');
  await expectGoodView(view);
  await view.page.keyboard.press('Escape');
  await expect(open).toBeFocused();
  expect(
    canned.sent.filter((path) => path.endsWith('/end')),
    'nothing was ended',
  ).toEqual([]);

  await open.click();
  await dialog.getByRole('button', { name: endAllText.confirm(2) }).click();
  await expect(items.nth(0)).toContainText(endAllText.states.ended);
  await expect(items.nth(1)).toContainText(`${endAllText.states.alive}. ${refusal}`);
  await expect(items.nth(2)).toContainText(`${endAllText.states.alive}. ${alive.message}`);
  await expect(dialog).toContainText(endAllText.done(1, 2));
  await expectGoodView(view);

  canned.replies.set(end('stuck'), { outcome: 'ended_before', message: null, page: null });
  await dialog.getByRole('button', { name: endAllText.again(1) }).click();
  await expect(items.nth(1)).toContainText(endAllText.states.ended_before);
  expect(
    canned.sent.filter((path) => path === end('deploy')),
    'not ended twice',
  ).toHaveLength(1);
  await dialog.getByRole('button', { name: endAllText.close }).click();
  await expect(dialog).toBeHidden();
});

test('what keeps the plan from being made is said where it was asked for', async ({ view, show }) => {
  const setting = new SettingsPage(view.page).setting(endAllText.title);
  const refusal = 'The store cannot be read now.';
  await show('/settings#computer', {
    ...withVault(keyFile),
    '/portal/credentials': new Refusal(503, refusal),
  });
  await setting.getByRole('button', { name: endAllText.open }).click();
  await expect(setting.getByRole('alert')).toContainText(refusal);
  await expect(view.page.getByRole('dialog')).toHaveCount(0);
});

for (const system of ['Macintosh; Intel Mac OS X 10_15_7', 'X11; Linux x86_64'])
  test(`whether the app is in the Dock is asked where there is one: ${system}`, async ({ view, show }) => {
    await view.page.addInitScript((userAgent) => {
      Object.defineProperty(navigator, 'userAgent', { value: userAgent });
      const states: Record<string, object> = {};
      const usual = { isOn: true, isPossible: true, note: null };
      Reflect.set(globalThis, 'rotavox', {
        readSwitch: (name: string) => Promise.resolve(states[name] ?? usual),
        setSwitch: (name: string, isOn: boolean) => Promise.resolve((states[name] = { ...usual, isOn })),
      });
    }, `Mozilla/5.0 (${system}) AppleWebKit/537.36`);
    await show('/settings', {
      '/portal/settings': defaultSettings,
      '/portal/owners': { owners: [] },
      '/portal/sessions': { sessions: [] },
    });
    const settings = new SettingsPage(view.page);
    const { dock, graphics } = settingsText.desktopSwitches;
    await expect(settings.switchOf(graphics.title)).toBeChecked();
    if (!system.startsWith('Mac')) return expect(settings.setting(dock.title)).toBeHidden();
    await settings.switchOf(dock.title).click();
    await expect(settings.switchOf(dock.title)).not.toBeChecked();
    return expect(settings.saved(dock.title)).toBeVisible();
  });
