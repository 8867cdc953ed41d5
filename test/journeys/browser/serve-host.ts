import { test as base } from '@playwright/test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostVault } from '../../../src/host/open-vault-choice.ts';
import { ensureBuilt } from '../../../src/launcher/ensure-built.ts';
import type { SeededMonth } from '../../fixtures/month/seeded-month.ts';
import { tone } from '../../renderer/recordings/tones.ts';
import { Owner } from '../owner.ts';
import { CredentialPage } from '../pages/credential-page.ts';
import { CredentialsPage } from '../pages/credentials-page.ts';
import { DirectoryPage } from '../pages/directory-page.ts';
import { HistoryPage } from '../pages/history-page.ts';
import { FamilyPage } from '../pages/family-page.ts';
import { IssueDialog } from '../pages/issue-dialog.ts';
import { MenusPage } from '../pages/menus-page.ts';
import { RecordingsPage } from '../pages/recordings-page.ts';
import { SettingsPage } from '../pages/settings-page.ts';
import { StatusPage } from '../pages/status-page.ts';
import { TokensPage } from '../pages/tokens-page.ts';
import type { WindowPage } from '../pages/window-page.ts';
import { wavFile } from './audio-files.ts';
import { HostProcess, Server } from './hosts.ts';
import { ServedMonth } from './served-month.ts';
import { type SharedBrowser, sharedBrowser, type SharedContext } from './shared-browser.ts';

interface Options {
  /** Where the service keeps values. */
  vault: HostVault;
  /** What the environment of the service has other than ours; then it gets a process of its own. */
  serverEnv: Readonly<Record<string, string>>;
  /** Whether a month of real data is served, the same for all who only look at it, instead of an empty folder. */
  seeded: boolean;
  /** Whether the browser is signed in when a test begins. */
  signedIn: boolean;
}

interface WorkerFixtures {
  hosts: HostProcess;
  served: () => ServedMonth;
  shared: SharedBrowser;
}

interface Fixtures {
  /** What is in the month that is served. */
  month: SeededMonth;
  server: Server;
  owner: Owner;
  shown: SharedContext;
  status: StatusPage;
  tokens: TokensPage;
  family: FamilyPage;
  dialog: IssueDialog;
  settings: SettingsPage;
  menus: MenusPage;
  recordings: RecordingsPage;
  directory: DirectoryPage;
  credentials: CredentialsPage;
  credential: CredentialPage;
  history: HistoryPage;
}

/** A browser beside a service without a desktop; the windows are all of one page, which is signed in and shows nothing yet. */
export const test = base.extend<Options & Fixtures, WorkerFixtures>({
  vault: [{ kind: 'keychain' }, { option: true }],
  serverEnv: [{}, { option: true }],
  seeded: [false, { option: true }],
  signedIn: [true, { option: true }],
  // Chromium's own fake microphone: it hears a file, over and over. What is asked for is allowed, as by a person. In every browser,
  // so that none is started for the journeys that listen.
  launchOptions: [
    async ({ launchOptions }, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'rotavox-heard-'));
      const heard = join(folder, 'heard.wav');
      writeFileSync(heard, wavFile('heard.wav', tone(440, 2000, { rate: 48_000 })).buffer);
      const fake = [
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        `--use-file-for-fake-audio-capture=${heard}`,
        '--autoplay-policy=no-user-gesture-required',
      ];
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...fake] });
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  // Playwright reads from the pattern which fixtures are needed: none.
  hosts: [
    async ({}, use) => {
      await ensureBuilt({ tell: console.error });
      const hosts = new HostProcess();
      await use(hosts);
      await hosts.end();
    },
    { scope: 'worker' },
  ],
  served: [
    async ({}, use) => {
      let served: ServedMonth | undefined;
      await use(() => (served ??= new ServedMonth()));
      await served?.close();
    },
    { scope: 'worker' },
  ],
  shared: [...sharedBrowser],
  month: async ({ served, seeded }, use) => {
    if (!seeded) throw new Error('No month is served here: test.use({ seeded: true }).');
    const { month } = await served().open();
    await use(month);
  },
  server: async ({ hosts, served, serverEnv, vault, seeded }, use) => {
    if (seeded) {
      const { server } = await served().open();
      await use(server);
      return;
    }
    const ofItsOwn = Object.keys(serverEnv).length > 0 ? new HostProcess(serverEnv) : null;
    const dataDir = mkdtempSync(join(tmpdir(), 'rotavox-serve-'));
    const server = new Server(ofItsOwn ?? hosts, dataDir, vault);
    await server.start();
    await use(server);
    await server.stop();
    await ofItsOwn?.end();
    rmSync(dataDir, { recursive: true, force: true });
  },
  owner: async ({ server }, use) => {
    await use(new Owner(server.dataDir));
  },
  shown: async ({ shared, viewport, contextOptions }, use) => {
    const shown = await shared.with({ ...contextOptions, viewport });
    await use(shown);
    await shared.giveBack(shown);
  },
  context: async ({ shown }, use) => {
    await use(shown.context);
  },
  page: async ({ shown, owner, signedIn }, use) => {
    if (signedIn) await shown.signIn(await owner.signInLink());
    await use(await shown.context.newPage());
  },
  status: async ({ page }, use) => {
    await useWindow(new StatusPage(page), use);
  },
  tokens: async ({ page }, use) => {
    await useWindow(new TokensPage(page), use);
  },
  family: async ({ page }, use) => {
    await useWindow(new FamilyPage(page), use);
  },
  settings: async ({ page }, use) => {
    await useWindow(new SettingsPage(page), use);
  },
  menus: async ({ page }, use) => {
    await useWindow(new MenusPage(page), use);
  },
  recordings: async ({ page }, use) => {
    await useWindow(new RecordingsPage(page), use);
  },
  directory: async ({ page }, use) => {
    await useWindow(new DirectoryPage(page), use);
  },
  credentials: async ({ page }, use) => {
    await useWindow(new CredentialsPage(page), use);
  },
  credential: async ({ page }, use) => {
    await useWindow(new CredentialPage(page), use);
  },
  history: async ({ page }, use) => {
    await useWindow(new HistoryPage(page), use);
  },
  dialog: async ({ status }, use) => {
    await use(new IssueDialog(status.page));
  },
});

async function useWindow<W extends WindowPage>(window: W, use: (window: W) => Promise<void>): Promise<void> {
  await use(window);
  window.expectNoViolations();
}
