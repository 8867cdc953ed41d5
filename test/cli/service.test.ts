import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../tools/free-port.ts';
import { type CliResult, rotavox } from './rotavox.ts';

/**
 * A systemctl for tests: keeps a log, and starts and stops the command of the unit as systemd does. The real systemd is
 * tried in test/long.
 */
const systemctl = `#!/bin/sh
shift # --user
echo "$*" >> "$STANDIN/log"
case "$1" in
  enable)
    if [ -e "$STANDIN/refuses" ]; then echo "Failed to enable unit: access denied" >&2; exit 1; fi
    sh -c "exec $(sed -n 's/^ExecStart=//p' "$XDG_CONFIG_HOME/systemd/user/rotavox.service")" > /dev/null 2> "$STANDIN/messages" &
    echo $! > "$STANDIN/pid" ;;
  disable)
    [ -e "$STANDIN/pid" ] || exit 0
    kill "$(cat "$STANDIN/pid")" 2> /dev/null
    tail --pid="$(cat "$STANDIN/pid")" -f /dev/null ;; # until it has ended
  is-enabled) exit 0 ;;
  is-active) kill -0 "$(cat "$STANDIN/pid")" 2> /dev/null ;;
esac
`;

interface Machine {
  readonly home: string;
  readonly unit: string;
  readonly dataDir: string;
  readonly passphraseFile: string;
  /** What systemctl was asked. */
  log(): Promise<string[]>;
  /** systemctl refuses from now on. */
  refuse(): Promise<void>;
  run(...args: string[]): Promise<CliResult>;
  runWith(
    how: { readonly env?: Record<string, string>; readonly input?: string },
    ...args: string[]
  ): Promise<CliResult>;
}

/** An account on a machine whose systemd is a stand-in, or that has none. */
async function machine({
  hasSystemd = true,
  terminal = {},
}: { hasSystemd?: boolean; terminal?: Record<string, string> } = {}): Promise<Machine> {
  const home = await mkdtemp(join(tmpdir(), 'rotavox-host-'));
  const [bin, standin, config] = [join(home, 'bin'), join(home, 'standin'), join(home, '.config')];
  for (const folder of [bin, standin]) await mkdir(folder);
  await writeFile(join(standin, 'log'), '');
  const programs = hasSystemd
    ? { systemctl, loginctl: '#!/bin/sh\n', journalctl: '#!/bin/sh\ncat "$STANDIN/messages"\n' }
    : {};
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(bin, name), script);
    await chmod(join(bin, name), 0o755);
  }
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: config,
    STANDIN: standin,
    PATH: hasSystemd ? `${bin}:${process.env['PATH'] ?? ''}` : bin,
    ...terminal,
  };
  const runWith: Machine['runWith'] = ({ env: more = {}, input }, ...args) =>
    rotavox(args, { env: { ...env, ...more }, ...(input === undefined ? {} : { stdin: input }) });
  const run = (...args: string[]): Promise<CliResult> => runWith({}, ...args);
  onTestFinished(async () => {
    await run('service', 'uninstall');
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });
  return {
    home,
    unit: join(config, 'systemd', 'user', 'rotavox.service'),
    dataDir: join(config, 'Rotavox', 'data'),
    passphraseFile: join(config, 'Rotavox', 'vault-passphrase'),
    log: async () => (await readFile(join(standin, 'log'), 'utf8')).trim().split('\n'),
    refuse: () => writeFile(join(standin, 'refuses'), ''),
    run,
    runWith,
  };
}

/** A port that another program listens on until the test ends. */
async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe.skipIf(process.platform !== 'linux')('rotavox service', () => {
  it('takes the proxy and the certificates of the terminal along, and no secret into its unit', async () => {
    const terminal = {
      HTTPS_PROXY: 'http://mary:p%40ss@proxy.corp.test:8080',
      NO_PROXY: '.corp.test',
      NODE_EXTRA_CA_CERTS: join(import.meta.dirname, '../fixtures/tls/certificate.pem'),
    };
    const host = await machine({ terminal });
    const installed = await host.run('service', 'install', '--port', String(await freePort()));
    expect(installed).toMatchObject({ code: 0 });
    expect(installed.stderr).toContain('proxy.corp.test:8080');
    expect(JSON.parse((await host.run('settings', '--json')).stdout)).toMatchObject({
      proxy: 'http://proxy.corp.test:8080',
      no_proxy: '.corp.test',
      certificates: terminal.NODE_EXTRA_CA_CERTS,
    });
    expect(JSON.parse((await host.run('status', '--json')).stdout)).toMatchObject({
      proxy: { used: 'proxy.corp.test:8080', source: 'setting', has_login: true },
      certificates: { count: 1 },
    });
    const told = `${await readFile(host.unit, 'utf8')}${installed.stderr}${(await host.run('history', '--json')).stdout}`;
    expect(told).not.toMatch(/p%40ss|p@ss|mary/);
  });

  it('is not installed with a proxy that cannot be used, or certificates that are not there', async () => {
    const wrong = await machine({ terminal: { HTTPS_PROXY: 'socks5://proxy.corp.test:1080' } });
    const refused = await wrong.run('service', 'install', '--port', String(await freePort()));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('HTTPS_PROXY is not the address of a proxy. SOCKS is not supported');
    expect(existsSync(wrong.unit)).toBe(false);
    const without = await machine({ terminal: { NODE_EXTRA_CA_CERTS: '/nowhere/root.pem' } });
    expect((await without.run('service', 'install', '--port', String(await freePort()))).stderr).toContain(
      '/nowhere/root.pem, which NODE_EXTRA_CA_CERTS names, is missing',
    );
  });

  it(
    'sets the proxy with a password from stdin, calls itself directly, and refuses what cannot be used',
    { tags: ['long'] },
    async () => {
      const host = await machine();
      expect((await host.run('service', 'install', '--port', String(await freePort()))).code).toBe(0);
      const set = await host.run('settings', 'set', 'proxy', 'http://mary:secret@127.0.0.1:1');
      expect(set.code).toBe(2);
      expect(set.stderr).not.toContain('secret');
      expect(await host.run('settings', 'set', 'proxy', 'socks5://127.0.0.1:1')).toMatchObject({ code: 2 });
      const missing = await host.run('settings', 'set', 'certificates', '/nowhere/root.pem');
      expect(missing).toMatchObject({ code: 1 });
      expect(missing.stderr).toContain('does not exist');
      const given = await host.runWith(
        { input: 's3cret' },
        'settings',
        'set',
        'proxy',
        'http://mary@127.0.0.1:1',
      );
      expect(given).toMatchObject({ code: 0 });
      // Node itself would ask that proxy for everything, this machine included.
      const proxied = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:1' };
      const status = await host.runWith({ env: proxied }, 'status', '--json');
      expect(JSON.parse(status.stdout)).toMatchObject({
        proxy: { used: '127.0.0.1:1', source: 'setting', has_login: true },
      });
    },
  );

  it(
    'installs, shows and removes a service that stores tokens in an encrypted file',
    { tags: ['long'] },
    async () => {
      const host = await machine();
      const port = String(await freePort());
      const installed = await host.run('service', 'install', '--port', port);
      expect(installed).toMatchObject({ code: 0, stdout: '' });
      expect(installed.stderr).toContain(
        `runs at http://127.0.0.1:${port} with the data folder ${host.dataDir}`,
      );
      expect(installed.stderr).toContain("anyone who can read your account's files can use them");
      expect(installed.stderr).toContain('starts when the machine starts');
      const keyFile = join(host.dataDir, 'vault.key');
      expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
      const key = (await readFile(keyFile, 'utf8')).trim();
      expect(installed.stderr).not.toContain(key);
      expect(await readFile(host.unit, 'utf8')).not.toMatch(new RegExp(`${key}|--vault`));

      expect(
        await host.run('token', 'issue', '--name', 'a', '--validity', '7', '--keep-as', 'nightly'),
      ).toMatchObject({ code: 0 });
      expect((await host.run('get', 'nightly')).stdout).toMatch(/^rvx_/);
      const status = await host.run('service', 'status');
      expect(status).toMatchObject({ code: 0, stderr: '' });
      expect(status.stdout).toMatch(/Running\s+yes/);

      const removed = await host.run('service', 'uninstall');
      expect(removed.code).toBe(0);
      expect(removed.stderr).toContain(`Your data is still in ${host.dataDir}`);
      expect(existsSync(host.unit)).toBe(false);
      expect(await host.log()).toEqual(
        expect.arrayContaining([
          'daemon-reload',
          'enable --now rotavox.service',
          'disable --now rotavox.service',
        ]),
      );
      expect(await host.run('service', 'status', '--json')).toMatchObject({
        code: 3,
        stdout: `${JSON.stringify({ installed: false, file: host.unit, enabled: false, running: false, data_dir: host.dataDir })}\n`,
      });

      // Installed again, it has the same tokens.
      expect(await host.run('service', 'install', '--port', port)).toMatchObject({ code: 0 });
      expect((await host.run('get', 'nightly')).stdout).toMatch(/^rvx_/);
      expect((await readFile(keyFile, 'utf8')).trim()).toBe(key);
      expect(existsSync(host.passphraseFile)).toBe(false);
    },
  );

  it(
    'makes a passphrase in a file of its own for an encrypted file that was asked for',
    { tags: ['long'] },
    async () => {
      const host = await machine();
      const install = ['service', 'install', '--port', String(await freePort()), '--vault', 'file'];
      const installed = await host.run(...install);
      expect(installed).toMatchObject({ code: 0, stdout: '' });
      expect(installed.stderr).toContain(`passphrase of the encrypted file is in ${host.passphraseFile}`);
      expect((await stat(host.passphraseFile)).mode & 0o777).toBe(0o600);
      const passphrase = (await readFile(host.passphraseFile, 'utf8')).trim();
      expect(passphrase).toMatch(/^[\w-]{43}$/);
      expect(installed.stderr).not.toContain(passphrase);
      expect(await readFile(host.unit, 'utf8')).not.toContain(passphrase);
      await host.run('service', 'uninstall');
      expect(await host.run('service', 'install', '--port', String(await freePort()))).toMatchObject({
        code: 0,
      });
      expect((await readFile(host.passphraseFile, 'utf8')).trim()).toBe(passphrase);
    },
  );

  it(
    'is not installed twice, and not beside a Rotavox that runs with the same data',
    { tags: ['long'] },
    async () => {
      const host = await machine();
      const port = String(await freePort());
      await host.run('service', 'install', '--port', port);
      const unit = await readFile(host.unit, 'utf8');
      const again = await host.run('service', 'install');
      expect(again.code).toBe(1);
      expect(again.stderr).toContain(`already installed (${host.unit})`);
      expect(await readFile(host.unit, 'utf8')).toBe(unit);

      await rm(host.unit);
      const beside = await host.run('service', 'install', '--port', port);
      expect(beside.code).toBe(1);
      expect(beside.stderr).toContain('already runs with the data folder');
      expect(existsSync(host.unit)).toBe(false);
      await writeFile(host.unit, unit);
    },
  );

  it('leaves nothing behind when systemd refuses it', async () => {
    const host = await machine();
    await host.refuse();
    const refused = await host.run('service', 'install', '--port', String(await freePort()));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Failed to enable unit: access denied');
    expect([host.unit, host.passphraseFile].filter((file) => existsSync(file))).toEqual([]);
    expect((await host.log()).slice(-2)).toEqual(['daemon-reload', 'reset-failed rotavox.service']);
  });

  it('leaves no service behind that does not start, and says why', { tags: ['long'] }, async () => {
    const host = await machine();
    const file = join(host.home, 'short');
    await writeFile(file, 'short\n', { mode: 0o600 });
    const failed = await host.run(
      'service',
      'install',
      '--port',
      String(await freePort()),
      '--vault-passphrase-file',
      file,
    );
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/did not start: .*passphrase/i);
    expect(failed.stderr).toContain('It was removed again');
    expect(existsSync(host.unit)).toBe(false);
    expect(await readFile(file, 'utf8')).toBe('short\n');
  });

  it('says what to do without systemd, with a taken port, a folder that cannot be written, and a vault without its passphrase', async () => {
    const without = await (await machine({ hasSystemd: false })).run('service', 'install');
    expect(without).toMatchObject({ code: 1 });
    expect(without.stderr).toContain('does not run systemd');

    const port = await takenPort();
    const host = await machine();
    const taken = await host.run('service', 'install', '--port', String(port));
    expect(taken).toMatchObject({ code: 1 });
    expect(taken.stderr).toContain(`Port ${port} is used by another program`);

    await writeFile(join(host.home, '.config'), 'not a folder');
    const unwritable = await host.run('service', 'install', '--port', String(await freePort()));
    expect(unwritable).toMatchObject({ code: 1 });
    expect(unwritable.stderr).toMatch(/cannot be written \((?:ENOTDIR|EEXIST)\)\. Nothing was installed/);
    await rm(join(host.home, '.config'));

    await mkdir(host.dataDir, { recursive: true, mode: 0o700 });
    await writeFile(join(host.dataDir, 'vault.json'), '{}');
    const closed = await host.run('service', 'install', '--port', String(await freePort()));
    expect(closed).toMatchObject({ code: 1 });
    expect(closed.stderr).toContain('its passphrase is needed');
    expect(existsSync(host.unit)).toBe(false);
  });

  it('uses the keychain where that was asked for', { tags: ['long'] }, async () => {
    const host = await machine();
    const install = ['service', 'install', '--port', String(await freePort()), '--vault', 'keychain'];
    const installed = await host.run(...install);
    expect(installed).toMatchObject({ code: 0 });
    expect(installed.stderr).toContain('Tokens are stored in the OS keychain.');
    expect(await readFile(host.unit, 'utf8')).toContain('"--vault" "keychain"');
    expect(existsSync(host.passphraseFile)).toBe(false);
  });

  it('says that its program is missing, for example after another Node was installed', async () => {
    const host = await machine();
    await mkdir(join(host.unit, '..'), { recursive: true });
    await writeFile(
      host.unit,
      '[Service]\nExecStart="/opt/node-22/bin/node" "/opt/rotavox/index.js" "serve"\n',
    );
    const status = await host.run('service', 'status');
    expect(status.code).toBe(3);
    expect(status.stderr).toContain('its program /opt/node-22/bin/node is missing');
  });

  it.each([true, false])('for the machine is not for keychains (with systemd: %s)', async (hasSystemd) => {
    const host = await machine({ hasSystemd });
    const result = await host.run('service', 'install', '--system', '--vault', 'keychain');
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('has no keychain');
  });
});
