import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
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
}

/** An account on a machine whose systemd is a stand-in, or that has none. */
async function machine({ hasSystemd = true } = {}): Promise<Machine> {
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
  };
  const run = (...args: string[]): Promise<CliResult> => rotavox(args, { env });
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
  };
}

/** A port that another program listens on until the test ends. */
async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A port that nothing listens on. */
async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

describe.skipIf(process.platform !== 'linux')('rotavox service', () => {
  it('installs, shows and removes a service that stores tokens in an encrypted file', async () => {
    const host = await machine();
    const port = await freePort();
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
  });

  it('makes a passphrase in a file of its own for an encrypted file that was asked for', async () => {
    const host = await machine();
    const install = ['service', 'install', '--port', await freePort(), '--vault', 'file'];
    const installed = await host.run(...install);
    expect(installed).toMatchObject({ code: 0, stdout: '' });
    expect(installed.stderr).toContain(`passphrase of the encrypted file is in ${host.passphraseFile}`);
    expect((await stat(host.passphraseFile)).mode & 0o777).toBe(0o600);
    const passphrase = (await readFile(host.passphraseFile, 'utf8')).trim();
    expect(passphrase).toMatch(/^[\w-]{43}$/);
    expect(installed.stderr).not.toContain(passphrase);
    expect(await readFile(host.unit, 'utf8')).not.toContain(passphrase);
    await host.run('service', 'uninstall');
    expect(await host.run('service', 'install', '--port', await freePort())).toMatchObject({ code: 0 });
    expect((await readFile(host.passphraseFile, 'utf8')).trim()).toBe(passphrase);
  });

  it(
    'is not installed twice, and not beside a Rotavox that runs with the same data',
    { tags: ['long'] },
    async () => {
      const host = await machine();
      const port = await freePort();
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
    const refused = await host.run('service', 'install', '--port', await freePort());
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
      await freePort(),
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
    const unwritable = await host.run('service', 'install', '--port', await freePort());
    expect(unwritable).toMatchObject({ code: 1 });
    expect(unwritable.stderr).toMatch(/cannot be written \((?:ENOTDIR|EEXIST)\)\. Nothing was installed/);
    await rm(join(host.home, '.config'));

    await mkdir(host.dataDir, { recursive: true, mode: 0o700 });
    await writeFile(join(host.dataDir, 'vault.json'), '{}');
    const closed = await host.run('service', 'install', '--port', await freePort());
    expect(closed).toMatchObject({ code: 1 });
    expect(closed.stderr).toContain('its passphrase is needed');
    expect(existsSync(host.unit)).toBe(false);
  });

  it('uses the keychain where that was asked for', async () => {
    const host = await machine();
    const install = ['service', 'install', '--port', await freePort(), '--vault', 'keychain'];
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
