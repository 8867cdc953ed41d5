import { expect } from '@playwright/test';
import type { ElectronApplication } from '@playwright/test';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { checkoutDir } from '../../../src/launcher/checkout.ts';
import { loudest } from '../../../src/renderer/recordings/sound/find-sound.ts';
import { soundOf } from '../browser/audio-files.ts';
import { RecordingsPage } from '../pages/recordings-page.ts';
import { oneAppForAll } from './launch-app.ts';

type Bridge = Record<string, (...given: unknown[]) => Promise<unknown>>;

/** What came of asking for devices: how many tracks, or the name of the error. */
type Asked = Record<string, string>;

/** Run in a page: asks for the microphone and for what no page may have. */
const askForDevices = `(async () => {
  const ask = async (wanted) => {
    try {
      const stream = await navigator.mediaDevices.getUserMedia(wanted);
      const kinds = stream.getTracks().map((track) => track.kind);
      for (const track of stream.getTracks()) track.stop();
      return kinds.join();
    } catch (error) {
      return error.name;
    }
  };
  return {
    audio: await ask({ audio: true }),
    video: await ask({ video: true }),
    both: await ask({ audio: true, video: true }),
    screen: await navigator.mediaDevices.getDisplayMedia({ video: true }).then(() => 'shown', (error) => error.name),
  };
})()`;

// Chromium's fake devices, but not its fake consent: who may listen is decided by the app.
const test = oneAppForAll((start) => ({
  ...start,
  args: ['--use-fake-device-for-media-stream', ...start.args],
}));

test(
  'the window keeps its cookie from scripts and from the disk',
  { tag: '@long' },
  async ({ app, status }) => {
    expect(await status.page.evaluate(() => document.cookie)).toBe('');
    const isPersistent = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]!.webContents.session.isPersistent(),
    );
    expect(isPersistent).toBe(false);
  },
);

test('the window goes nowhere else', { tag: '@long' }, async ({ app, status, owner }) => {
  await status.expectRunning();
  // From inside the app: Playwright would wait for ever for the end of a navigation that is refused.
  const attempt = await app.evaluate(async ({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0]!;
    const tried = new Promise<{ url: string; refused: boolean }>((resolve) => {
      webContents.on('will-frame-navigate', (event) => {
        resolve({ url: event.url, refused: event.defaultPrevented });
      });
    });
    await webContents.executeJavaScript('location.href = "https://example.invalid/"; undefined');
    const { url, refused } = await tried;
    const sign: unknown = await webContents.executeJavaScript(
      'document.querySelector("[role=status]").textContent',
    );
    return { url, refused, still: webContents.getURL(), sign };
  });
  expect(attempt).toEqual({
    url: 'https://example.invalid/',
    refused: true,
    still: `${owner.baseUrl}/`,
    sign: 'Running',
  });
});

test('the window opens no other', { tag: '@long' }, async ({ app, status }) => {
  const opened = await status.page.evaluate(() => [
    window.open('https://example.invalid/') === null,
    window.open('/') === null,
  ]);
  expect(opened).toEqual([true, true]);
  expect(app.windows()).toHaveLength(1);
});

test(
  'the page gets no permission but to copy, and to listen when a prompt is recorded',
  { tag: '@long' },
  async ({ app, status, owner }) => {
    const permissions = await status.page.evaluate(async () => {
      const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read'];
      const states = names.map(async (name) => {
        const { state } = await navigator.permissions.query({ name: name as PermissionName });
        return [name, state];
      });
      return Promise.all(states);
    });
    expect(permissions.filter(([, state]) => state !== 'denied')).toEqual([['microphone', 'granted']]);

    await status.copy("the service's address").click();
    await expect(status.fact('Address')).toContainText('Copied');
    expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe(owner.baseUrl);
  },
);

test(
  'every window is sandboxed, isolated and without Node',
  { tag: '@long' },
  async ({ app, status, owner }) => {
    await status.expectRunning();
    const preferences = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map(({ webContents }) => {
        const last = (webContents as unknown as { getLastWebPreferences(): object }).getLastWebPreferences();
        return last as Record<string, unknown>;
      }),
    );
    for (const one of preferences) {
      expect(one).toMatchObject({
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
      });
      expect(one['nodeIntegrationInWorker'] ?? false).toBe(false);
      expect(one['allowRunningInsecureContent'] ?? false).toBe(false);
    }
    expect(owner.isRunning).toBe(true);
  },
);

test(
  'the bridge refuses what a call does not take, and does nothing',
  { tag: '@long' },
  async ({ app, status }) => {
    await status.expectRunning();
    const said = await status.page.evaluate(async () => {
      const bridge = Reflect.get(globalThis, 'rotavox') as Bridge;
      const tries = [
        () => bridge['copySecret']!({ toString: () => 'x' }),
        () => bridge['copySecret']!(''),
        () => bridge['copySecret']!('x'.repeat(10_001)),
        () => bridge['setSwitch']!('openAtLogin', 'yes'),
        () => bridge['setSwitch']!('openAtLogin'),
        () => bridge['setSwitch']!('sandbox', false),
      ];
      return Promise.all(
        tries.map((attempt) =>
          attempt().then(
            () => 'done',
            (error: unknown) => String(error),
          ),
        ),
      );
    });
    for (const words of said) expect(words).toMatch(/cannot do|could not be cloned/);
    expect(await app.evaluate(async ({ clipboard }) => await clipboard.readText())).toBe('');
  },
);

test(
  'a foreign page with our own preload script gets nothing from the bridge, and nothing from the portal',
  { tag: '@long' },
  async ({ app, status, owner }) => {
    const before = await owner.ask('listTokens');
    const foreign = await servePage('<title>foreign</title>');
    try {
      const said = await app.evaluate(
        async ({ BrowserWindow }, { address, preload, portal }) => {
          // In the windows' own session: with their cookie, as bad as it could be.
          const { session } = BrowserWindow.getAllWindows()[0]!.webContents;
          const window = new BrowserWindow({
            show: false,
            webPreferences: { preload, sandbox: true, session },
          });
          try {
            await window.loadURL(address);
            return (await window.webContents.executeJavaScript(`(async () => {
            const attempt = (call) => call().then(() => 'done', String);
            const fetched = (init) => fetch(${JSON.stringify(portal)}, init).then((reply) => reply.text());
            return {
              quit: await attempt(() => window.rotavox.quit()),
              copy: await attempt(() => window.rotavox.copySecret('x')),
              read: await attempt(() => fetched({ credentials: 'include' })),
              change: await attempt(() => fetched({ method: 'POST', credentials: 'include', body: '{}' })),
            };
          })()`)) as Record<string, string>;
          } finally {
            window.destroy();
          }
        },
        {
          address: foreign.address,
          preload: join(checkoutDir, 'out', 'preload', 'index.cjs'),
          portal: `${owner.baseUrl}/portal/tokens`,
        },
      );
      expect(said['quit']).toContain('may not call the desktop app');
      expect(said['copy']).toContain('may not call the desktop app');
      expect(said['read']).toContain('Failed to fetch');
      expect(said['change']).toContain('Failed to fetch');
    } finally {
      foreign.close();
    }
    await status.expectRunning();
    expect((await owner.ask('listTokens')).tokens).toEqual(before.tokens);
  },
);

test(
  'no new window, no frame: whatever a page tries leads nowhere',
  { tag: '@long' },
  async ({ app, status, owner }) => {
    await status.expectRunning();
    await status.page.evaluate(() => {
      for (const make of [
        () => Object.assign(document.createElement('iframe'), { src: 'https://example.invalid/' }),
        () => Object.assign(document.createElement('object'), { data: 'https://example.invalid/' }),
      ]) {
        document.body.append(make());
      }
      window.open('file:///etc/passwd');
      window.open('rotavox://ivr');
    });
    await expect.poll(() => status.violations.length).toBeGreaterThanOrEqual(2);
    expect(await urlsOf(app)).toEqual([`${owner.baseUrl}/`]);
  },
);

interface Download {
  readonly url: string;
  readonly isAllowed: boolean;
  readonly isAsked: boolean;
  readonly state?: string;
}

test(
  'nothing is downloaded but files of our own, and where each goes is asked',
  { tag: '@long' },
  async ({ app, status, owner, dataDir }) => {
    await owner.issueToken({ name: 'billing-sync', validity_days: 7 });
    await status.expectRunning();
    await app.evaluate(({ BrowserWindow }, folder) => {
      if (Reflect.has(globalThis, 'downloads')) return; // asked again
      const downloads: Download[] = [];
      Reflect.set(globalThis, 'downloads', downloads);
      const { session } = BrowserWindow.getAllWindows()[0]!.webContents;
      // After the app's own: what it denied is denied already, and no dialog waits for somebody who is not there.
      session.on('will-download', (event, item) => {
        const download = {
          url: item.getURL(),
          isAllowed: !event.defaultPrevented,
          isAsked: item.getSavePath() === '',
        };
        downloads.push(download);
        item.setSavePath(`${folder}/${item.getFilename()}`);
        item.once('done', (_event, state) => Object.assign(download, { state }));
      });
    }, dataDir);
    const begun = () => app.evaluate(() => Reflect.get(globalThis, 'downloads') as Download[]);
    const tries = [
      '/portal/history/export?format=csv',
      '/portal/extensions/export',
      '/portal/sms-templates/export',
      'blob',
      '/portal/extensions',
      '/portal/history',
      '/portal/history/export/../../../openapi.json',
      '/openapi.json',
      'data:text/plain,x',
    ];
    for (const [place, address] of tries.entries()) {
      await status.page.evaluate((to) => {
        const href = to === 'blob' ? URL.createObjectURL(new Blob(['x'])) : to;
        Object.assign(document.createElement('a'), { href, download: '' }).click();
      }, address);
      await expect.poll(async () => (await begun()).length, address).toBe(place + 1);
    }
    await expect.poll(async () => (await begun())[0]?.state).toBe('completed');
    const all = await begun();
    const [own, others] = [all.slice(0, 4), all.slice(4)];
    for (const one of own) expect(one).toMatchObject({ isAllowed: true, isAsked: true });
    expect(others.filter(({ isAllowed }) => isAllowed)).toEqual([]);
    const file = readdirSync(dataDir).find((name) => name.startsWith('rotavox-history-'));
    expect(readFileSync(join(dataDir, file!), 'utf8')).toContain('token.issued');
    expect(await urlsOf(app)).toEqual([`${owner.baseUrl}/`]);
  },
);

test(
  'a window stays on the pages that are its own, also within its origin',
  { tag: '@long' },
  async ({ app, status, owner }) => {
    await status.expectRunning();
    for (const address of ['/docs', '/openapi.json', '/portal/status', 'blob']) {
      const refused = await app.evaluate(async ({ BrowserWindow }, to) => {
        const { webContents } = BrowserWindow.getAllWindows()[0]!;
        const tried = new Promise<boolean>((resolve) => {
          webContents.once('will-frame-navigate', (event) => resolve(event.defaultPrevented));
        });
        const target = to === 'blob' ? 'URL.createObjectURL(new Blob(["x"]))' : JSON.stringify(to);
        await webContents.executeJavaScript(`location.href = ${target}; undefined`);
        return tried;
      }, address);
      expect(refused, address).toBe(true);
    }
    expect(await urlsOf(app)).toEqual([`${owner.baseUrl}/`]);
  },
);

test(
  'a violation of the content security policy is seen by the journeys',
  { tag: '@long' },
  async ({ status }) => {
    await status.expectRunning();
    status.expectNoViolations();
    await status.page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.planted = true';
      document.body.append(script);
    });
    await expect.poll(() => status.violations.length).toBeGreaterThan(0);
    expect(await status.page.evaluate(() => Reflect.has(globalThis, 'planted'))).toBe(false);
  },
);

test(
  'our page may listen to the microphone, and neither look nor watch the screen',
  { tag: '@long' },
  async ({ status }) => {
    await status.expectRunning();
    const asked = await status.page.evaluate<Asked>(askForDevices);
    expect(asked).toMatchObject({ audio: 'audio', video: 'NotAllowedError', both: 'NotAllowedError' });
    expect(asked['screen']).not.toBe('shown');
  },
);

test(
  'a foreign page in the windows’ own session may not listen',
  { tag: '@long' },
  async ({ app, status }) => {
    await status.expectRunning();
    const foreign = await servePage('<title>foreign</title>');
    try {
      const asked = await app.evaluate(
        async ({ BrowserWindow }, { address, script }) => {
          const { session } = BrowserWindow.getAllWindows()[0]!.webContents;
          const window = new BrowserWindow({ show: false, webPreferences: { sandbox: true, session } });
          try {
            await window.loadURL(address);
            return (await window.webContents.executeJavaScript(script)) as Asked;
          } finally {
            window.destroy();
          }
        },
        { address: foreign.address, script: askForDevices },
      );
      expect(asked).toMatchObject({
        audio: 'NotAllowedError',
        video: 'NotAllowedError',
        both: 'NotAllowedError',
      });
    } finally {
      foreign.close();
    }
  },
);

test(
  'a prompt is recorded in the app, without a question of the browser',
  { tag: '@long' },
  async ({ status, owner }) => {
    await status.expectRunning();
    await status.page.getByRole('navigation').getByRole('link', { name: 'Recordings' }).click();
    const recordings = new RecordingsPage(status.page);
    await status.page.getByRole('button', { name: 'Record…' }).click();
    await recordings.record.click();
    // The fake microphone beeps once a second.
    await expect
      .poll(async () => Number(await recordings.level.getAttribute('aria-valuenow')))
      .toBeGreaterThan(30);
    await recordings.stop.click();
    await recordings.name.fill('Welcome');
    await recordings.choose('Save').click();
    await expect(recordings.row('Welcome')).toBeVisible();
    const [saved] = (await owner.ask('listRecordings')).recordings;
    expect(loudest(soundOf(await recordings.audioOf(saved!.id)).samples)).toBeGreaterThan(0.03);
    recordings.expectNoViolations();
  },
);

function urlsOf(app: ElectronApplication): Promise<string[]> {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getURL()),
  );
}

/** A page of another origin on this machine. */
async function servePage(html: string): Promise<{ address: string; close: () => void }> {
  const server = createServer((_request, reply) => {
    reply.writeHead(200, { 'content-type': 'text/html' }).end(html);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
