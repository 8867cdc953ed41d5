import { type ElectronApplication, expect } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtFile } from '../../../src/launcher/ensure-built.ts';
import { freePort } from '../../tools/free-port.ts';
import { cheapScrypt } from '../../fixtures/cheap-scrypt.ts';
import { fileVault } from '../browser/credential-fixtures.ts';
import { type HostProcess, Server } from '../browser/hosts.ts';
import { Owner } from '../owner.ts';
import { test as base } from './launch-app.ts';

/** A host for a team on this machine, with one credential. */
class Team {
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'rotavox-team-'));
  readonly #server: Server;
  readonly owner = new Owner(this.#dataDir);
  #port = 0;

  constructor(hosts: HostProcess) {
    this.#server = new Server(hosts, this.#dataDir, {
      kind: 'file',
      passphrase: 'a passphrase for the team',
      cost: cheapScrypt,
    });
  }

  async start(): Promise<void> {
    // At an address of its own: the keychain may have a key for that of another test.
    this.#port ||= await freePort();
    this.#port = Number(new URL(await this.#server.start(this.#port)).port);
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Makes the key of an owner, which stays the same when the host starts again. */
  async addOwner(name: string): Promise<string> {
    return (await this.owner.ask('addOwner', { body: { name } })).key;
  }

  async addCredential(name: string): Promise<string> {
    const { access_token: value } = await this.owner.issueToken({
      name: `token of ${name}`,
      validity_days: 7,
    });
    await this.owner.ask('addCredential', { body: { name, value } });
    return value;
  }

  async clearAway(): Promise<void> {
    await this.stop();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}

interface Fixtures {
  team: Team;
}

const test = base.extend<Fixtures>({
  team: async ({ services }, use) => {
    const team = new Team(services);
    await team.start();
    await use(team);
    await team.clearAway();
  },
});

test.skip(process.platform !== 'linux', 'the panel and its message bus are those of Linux');

/** The titles of the windows that are visible. */
function titlesOf(app: ElectronApplication): Promise<string[]> {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .filter((window) => window.isVisible())
      .map((window) => window.getTitle()),
  );
}

test(
  'pages of a host for a team get the microphone only if the person says so, who is asked once',
  { tag: '@long' },
  async ({ start, launch, team }, testInfo) => {
    const keyFile = testInfo.outputPath('key');
    writeFileSync(keyFile, await team.addOwner('Ana'), { mode: 0o600 });
    const app = await launch({
      ...start,
      args: [...start.args, `--host=${team.url}`, '--use-fake-device-for-media-stream'],
      env: { ...start.env, ROTAVOX_HOST_KEY_FILE: keyFile },
    });
    await app.evaluate(({ dialog }) => {
      Object.assign(globalThis, { questions: [] });
      dialog.showMessageBox = (options: unknown) => {
        (Reflect.get(globalThis, 'questions') as unknown[]).push(options);
        return Promise.resolve({ response: 1, checkboxChecked: false });
      };
    });
    const page = await app.firstWindow();
    await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
    for (const ask of ['first', 'second'])
      expect(
        await page.evaluate(() =>
          navigator.mediaDevices.getUserMedia({ audio: true }).then(
            () => 'heard',
            (error: unknown) => (error as Error).name,
          ),
        ),
        ask,
      ).toBe('NotAllowedError');
    const questions = await app.evaluate(() => Reflect.get(globalThis, 'questions') as { message: string }[]);
    expect(questions.map(({ message }) => message)).toEqual([
      `Let ${team.url.replace('http://', '')} use the microphone?`,
    ]);
  },
);

test(
  'a host for a team has its key entered once, a window, and a part of the tray that follows it',
  { tag: '@long' },
  async ({ panel, start, launch, team, owner }, testInfo) => {
    await team.addCredential('shared');
    const key = await team.addOwner('Ana');
    const name = team.url.replace('http://', '');
    const chosen = { ...start, args: [...start.args, `--host=${team.url}`] };
    const app = await launch(chosen);
    const settings = await app.firstWindow();
    const setting = settings.getByRole('group', { name: 'Host for a team' });
    await expect(setting).toContainText(`There is no key for ${name}`);
    const connect = setting.getByRole('button', { name: 'Connect', exact: true });
    await setting.getByLabel('Your key').fill('rvx_not_a_key_of_this_host');
    await connect.click();
    await expect(setting).toContainText('does not accept the key');
    await settings.screenshot({ path: testInfo.outputPath('refused.png') });
    await setting.getByLabel('Your key').fill(key);
    const opened = app.waitForEvent('window');
    await connect.click();
    const page = await opened;
    await expect(page.getByText('shared').first()).toBeVisible();
    await page.screenshot({ path: testInfo.outputPath('window.png') });
    await expect.poll(() => titlesOf(app)).toContainEqual(expect.stringContaining(`· ${name}`));
    expect(await page.evaluate(() => 'rotavox' in globalThis), 'a bridge for the page of another host').toBe(
      false,
    );

    // Local credentials stay here, and are shown beside those of the team.
    const { access_token: value } = await owner.issueToken({ name: 'journey', validity_days: 3 });
    await owner.ask('addCredential', { body: { name: 'own', value } });
    await expect
      .poll(async () => (await panel.labels()).filter((label) => /^(?:shared|own|This|127)/.test(label)))
      .toEqual([name, 'shared · 6 d 23 h', 'This computer', 'own · 2 d 23 h']);
    const { credentials } = await team.owner.ask('listCredentials');
    expect(credentials.map((one) => one.name)).toEqual(['shared']);

    await panel.click('Until I resume it', /^shared/);
    await expect.poll(() => panel.labels()).toContain('shared · 6 d 23 h · Paused');
    expect((await team.owner.ask('readCredential', { params: { name: 'shared' } })).state).toBe('paused');
    await panel.click('Copy token', /^shared/);
    const { value: shared } = await team.owner.ask('readCredentialValue', { params: { name: 'shared' } });
    await expect.poll(() => app.evaluate(async ({ clipboard }) => await clipboard.readText())).toBe(shared);

    await team.stop();
    await expect
      .poll(() => panel.labels())
      .toContainEqual(expect.stringMatching(/^Cannot be reached since /));
    expect(await panel.labels(), 'the last known state').toContain('shared · 6 d 23 h · Paused');
    await page.screenshot({ path: testInfo.outputPath('away.png') });
    await team.start();
    await expect
      .poll(() => panel.labels())
      .not.toContainEqual(expect.stringMatching(/^Cannot be reached since /));
    await team.addCredential('after');
    await expect.poll(() => panel.labels()).toContain('after · 6 d 23 h');
    await expect(page.getByText('after').first(), 'the window is signed in again').toBeVisible();

    // The next start needs no key.
    await app.close();
    const again = await launch(start);
    const first = await again.firstWindow();
    await expect(first.getByText('after').first()).toBeVisible();
    expect(new URL(first.url()).origin).toBe(team.url);
  },
);

test(
  'a host that is away when the app starts is told in its window, whose page comes when it answers',
  { tag: '@long' },
  async ({ start, launch, team, owner }, testInfo) => {
    const keyFile = testInfo.outputPath('key');
    writeFileSync(keyFile, await team.addOwner('Ana'), { mode: 0o600 });
    await team.addCredential('shared');
    await team.stop();
    const app = await launch({
      ...start,
      args: [...start.args, `--host=${team.url}`],
      env: { ...start.env, ROTAVOX_HOST_KEY_FILE: keyFile },
    });
    const page = await app.firstWindow();
    await expect(page.getByRole('heading')).toContainText('cannot be shown');
    await expect(page.getByRole('main')).toContainText('cannot be reached (ERR_CONNECTION_REFUSED)');
    await page.screenshot({ path: testInfo.outputPath('problem.png') });
    expect(owner.isRunning, 'the service of this computer').toBe(true);
    await team.start();
    await expect(page.getByText('shared').first()).toBeVisible();
  },
);

test(
  'a host with a certificate of its own is shown where NODE_EXTRA_CA_CERTS names it, and not otherwise',
  { tag: '@long' },
  async ({ start, launch }, testInfo) => {
    const folder = join(import.meta.dirname, '..', '..', 'fixtures', 'tls');
    const certificate = join(folder, 'certificate.pem');
    const dataDir = testInfo.outputPath('team');
    const port = await freePort();
    const listen = [
      '--listen',
      `127.0.0.1:${port}`,
      '--tls-cert',
      certificate,
      '--tls-key',
      join(folder, 'key.pem'),
    ];
    const vault = ['--vault', 'file', '--vault-passphrase-file', fileVault.passphraseFile];
    const serving = spawn(
      process.execPath,
      [
        builtFile('cli/index.js'),
        'serve',
        '--json',
        '--port',
        '0',
        '--data-dir',
        dataDir,
        ...listen,
        ...vault,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      await once(serving.stdout, 'data');
      const owner = new Owner(dataDir);
      const keyFile = testInfo.outputPath('key');
      writeFileSync(keyFile, (await owner.ask('addOwner', { body: { name: 'Ana' } })).key, { mode: 0o600 });
      const args = [...start.args, `--host=https://127.0.0.1:${port}`];
      const env = { ...start.env, ROTAVOX_HOST_KEY_FILE: keyFile };

      const distrusting = await launch({ ...start, args, env });
      const refused = await distrusting.firstWindow();
      await expect(refused.getByRole('main')).toContainText(
        `The certificate of 127.0.0.1:${port} is not trusted (ERR_CERT_`,
      );
      await distrusting.close();

      const app = await launch({ ...start, args, env: { ...env, NODE_EXTRA_CA_CERTS: certificate } });
      const page = await app.firstWindow();
      await expect(page.getByRole('link', { name: 'Credentials' })).toBeVisible();
      expect(new URL(page.url()).origin).toBe(`https://127.0.0.1:${port}`);
      await expect(page.getByText('Running').first()).toBeVisible();
    } finally {
      serving.kill('SIGTERM');
      await once(serving, 'exit');
    }
  },
);
