import { stopByCall } from '../../src/cli/commands/service-commands.ts';
import { once } from 'node:events';
import { appendFile, chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventStreamPath } from '../../src/contract/address.ts';
import { SignInLink } from '../../src/contract/service/portal.ts';
import {
  exitCodeOf,
  freshDataDir,
  removeDataDir,
  builtRotavox,
  rotavox,
  serviceForTest,
  serviceOn,
  spawnRotavox,
} from './rotavox.ts';
import { serviceHere, serviceHereOn } from './service-here.ts';
import { FileVault } from '../../src/agent/vault/file-vault.ts';
import { hasTerminals, inTerminal, shellLine } from './in-terminal.ts';

async function dataDirForTest(): Promise<string> {
  const dataDir = await freshDataDir();
  onTestFinished(() => removeDataDir(dataDir));
  return dataDir;
}

function startPlainServe(dataDir: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const child = spawnRotavox(['serve', '--port', '0', ...args], { dataDir, env });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exitCodeOf(child);
  });
  return child;
}

describe('rotavox serve', () => {
  it('prints exactly one line with --json, when it is ready, and leaves no runtime file after SIGTERM', async () => {
    const service = await serviceForTest();
    // Nobody else may read the key in it.
    const path = join(service.dataDir, 'runtime.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(service.ready).toEqual({
      event: 'ready',
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      pid: service.child.pid,
      data_dir: service.dataDir,
    });
    expect((await fetch(`${service.baseUrl}/v1/health`)).status).toBe(200);
    await service.json('token', 'issue', '--name', 'a', '--validity', '7');
    expect(await service.stop('SIGTERM')).toBe(0);
    expect(service.stdout).toHaveLength(1);
    expect(service.stderr.join('\n')).not.toContain('code=');
    const left = await readdir(service.dataDir);
    expect(left).not.toContain('runtime.json');
    expect(left).not.toContain('lock');
  });

  it('ends with 0 when its own computer asks it to, as Windows has no signal for that', async () => {
    const service = await serviceForTest();
    const ended = once(service.child, 'exit');
    expect(await stopByCall(service.dataDir)).toBe(true);
    expect((await ended)[0]).toBe(0);
    expect(await readdir(service.dataDir)).not.toContain('runtime.json');
    expect(await stopByCall(service.dataDir)).toBe(false);
  });

  it.each(['SIGINT', 'SIGHUP'] as const)('ends with 0 on %s', { tags: ['long'] }, async (signal) => {
    const service = await serviceForTest();
    expect(await service.stop(signal)).toBe(0);
    expect(await readdir(service.dataDir)).not.toContain('runtime.json');
  });

  it(
    'ends with 0 while a browser is signed in, with its event stream and an idle connection open',
    { tags: ['long'] },
    async () => {
      const service = await serviceForTest();
      const { url } = SignInLink.parse(await service.json('open', '--no-browser'));
      const [cookie = ''] = (await fetch(url, { redirect: 'manual' })).headers.getSetCookie();
      const headers = { cookie: cookie.split(';')[0] ?? '' };
      const stream = await fetch(service.baseUrl + eventStreamPath, { headers });
      const page = await fetch(service.baseUrl, { headers });
      expect([stream.status, page.status]).toEqual([200, 200]);
      expect(await page.text()).toContain('<html');
      expect(await service.stop()).toBe(0);
      await stream.body?.cancel().catch(() => undefined);
    },
  );

  it(
    'finishes open calls when it is asked to stop, unless it is asked a second time',
    { tags: ['long'] },
    async () => {
      const service = await serviceForTest();
      const call = createConnection(Number(new URL(service.baseUrl).port), '127.0.0.1');
      onTestFinished(() => void call.destroy());
      call.on('error', () => undefined);
      await once(call, 'connect');
      call.write(
        `POST /v1/ivr HTTP/1.1\r\nHost: ${new URL(service.baseUrl).host}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":',
      );
      // The service has received the call once it has answered a later one.
      await (await fetch(`${service.baseUrl}/v1/health`)).text();
      service.child.kill('SIGINT');
      await expect.poll(() => service.stderr.join('\n')).toContain('Stopping');
      expect(service.child.exitCode).toBeNull();
      await expect
        .poll(
          () => {
            service.child.kill('SIGINT');
            return service.child.exitCode;
          },
          { timeout: 10_000, interval: 100 },
        )
        .toBe(130);
    },
  );

  it('names the port that is taken, ends with 1 and leaves nothing behind', async () => {
    const first = await serviceHere();
    const { port } = new URL(first.baseUrl);
    const dataDir = await dataDirForTest();
    const second = await builtRotavox(['serve', '--port', port, '--json'], { dataDir });
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toContain(`Port ${port} on 127.0.0.1 is used by another program`);
    expect(second.stderr).toContain('--port');
    expect(await readdir(dataDir)).not.toContain('runtime.json');
    expect(await readdir(dataDir)).not.toContain('lock');
  });

  it(
    'names the process that holds the data folder, ends with 1 and leaves that process alone',
    { tags: ['long'] },
    async () => {
      const first = await serviceForTest();
      const second = await builtRotavox(['serve', '--port', '0', '--json'], { dataDir: first.dataDir });
      expect(second).toMatchObject({ code: 1, stdout: '' });
      expect(second.stderr).toContain(first.dataDir);
      expect(second.stderr).toContain(`process ${String(first.child.pid)}`);
      expect((await first.cli('status')).code).toBe(0);
    },
  );

  it('takes its port from ROTAVOX_PORT without an option for it', { tags: ['long'] }, async () => {
    const first = await serviceForTest();
    const { port } = new URL(first.baseUrl);
    const dataDir = await dataDirForTest();
    const taken = await builtRotavox(['serve'], { dataDir, env: { ROTAVOX_PORT: port } });
    expect(taken.stderr).toContain(`Port ${port} `);
    const service = await serviceOn(dataDir, [], { ROTAVOX_PORT: port });
    expect(service.baseUrl).not.toBe(first.baseUrl);
  });

  it.each([
    ['a port that is none', ['--port', '65536'], {}],
    ['a port in words', ['--port', 'http'], {}],
    ['a ROTAVOX_PORT that is none', [], { ROTAVOX_PORT: '7682x' }],
    ['an empty data folder', ['--data-dir', ''], {}],
  ])('calls %s wrong usage', async (_what, args, env) => {
    const result = await rotavox(['serve', ...args], { dataDir: await dataDirForTest(), env });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(/from 0 to 65535|needs a folder/);
  });

  it('serves this machine only', { tags: ['long'] }, async () => {
    const result = await builtRotavox(['serve', '--port', '0', '--host', '0.0.0.0'], {
      dataDir: await dataDirForTest(),
    });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('at 127.0.0.1 or ::1');
  });

  it(
    'prints without --json its address and a sign-in link, all of it on stderr',
    { tags: ['long'] },
    async () => {
      const child = startPlainServe(await dataDirForTest());
      const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
      const stdout = text(child.stdout);
      let where = String((await lines.next()).value);
      // Where a machine has no keychain, it first says where tokens are.
      if (where.includes('vault.key')) where = String((await lines.next()).value);
      const signIn = String((await lines.next()).value);
      const baseUrl = /http:\/\/127\.0\.0\.1:\d+/.exec(where)?.[0];
      const link = /http:\S+\?code=\S+/.exec(signIn)?.[0];
      expect(link).toContain(baseUrl);
      const signedIn = await fetch(link!, { redirect: 'manual' });
      expect(signedIn.status).toBe(303);
      expect(signedIn.headers.get('set-cookie')).toContain('HttpOnly');
      expect((await fetch(link!, { redirect: 'manual' })).status).toBe(401);
      child.kill('SIGTERM');
      expect(await exitCodeOf(child)).toBe(0);
      expect(await stdout).toBe('');
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'opens a browser with the link where a desktop is there, and prints it all the same',
    async () => {
      const dataDir = await dataDirForTest();
      const desktop = await fakeDesktop(join(dataDir, '..'));
      const service = await serviceOn(dataDir, ['--open'], desktop.env);
      await expect.poll(() => desktop.opened()).toHaveLength(1);
      const [link] = await desktop.opened();
      expect(link).toContain(`${service.baseUrl}/?code=`);
      expect(service.stderr.join('\n')).toContain(link);
      expect(service.stdout).toHaveLength(1);
    },
  );

  it('prints the link with --open where no desktop is there', { tags: ['long'] }, async () => {
    const service = await serviceForTest(['--open']);
    await expect.poll(() => service.stderr.join('\n')).toContain(`${service.baseUrl}/?code=`);
  });

  it('keeps serving when the reader of its one line has gone', { tags: ['long'] }, async () => {
    const service = await serviceForTest();
    service.child.stdout.destroy();
    service.child.stderr.destroy();
    expect((await service.cli('status')).code).toBe(0);
    expect(await service.stop()).toBe(0);
  });

  it('reports what had to be repaired', { tags: ['long'] }, async () => {
    const dataDir = await dataDirForTest();
    const first = await serviceOn(dataDir);
    await first.json('token', 'issue', '--name', 'a', '--validity', '7');
    await first.stop('SIGKILL');
    const [segment] = await readdir(join(dataDir, 'journal'));
    await appendFile(join(dataDir, 'journal', segment!), '{"torn');
    const second = await serviceOn(dataDir);
    await expect.poll(() => second.stderr.join('\n')).toMatch(/^Repaired: .*interrupted/m);
    expect(await second.json('status')).toMatchObject({
      repairs: [expect.any(String)],
      tokens: { Active: 1 },
    });
  });

  it('refuses a damaged journal in a sentence with the place', { tags: ['long'] }, async () => {
    const dataDir = await dataDirForTest();
    const first = await serviceOn(dataDir);
    await first.json('token', 'issue', '--name', 'a', '--validity', '7');
    await first.json('token', 'issue', '--name', 'b', '--validity', '7');
    await first.stop('SIGKILL');
    const [segment] = await readdir(join(dataDir, 'journal'));
    const path = join(dataDir, 'journal', segment!);
    await writeFile(path, (await readFile(path, 'utf8')).replace('"name":"a"', '"name":"z"'));
    const second = await builtRotavox(['serve', '--port', '0', '--json'], { dataDir });
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toContain(path);
    expect(second.stderr).not.toContain('This is a bug');
  });
});

/** A desktop whose browser opener records its arguments. */
async function fakeDesktop(folder: string) {
  const bin = join(folder, 'bin');
  const log = join(folder, 'opened');
  await mkdir(bin);
  await writeFile(log, '');
  await writeFile(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${log}'\n`);
  await chmod(join(bin, 'xdg-open'), 0o755);
  return {
    env: { DISPLAY: ':99', PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    opened: async () => (await readFile(log, 'utf8')).split('\n').filter((line) => line !== ''),
  };
}

/** Has Node run this before the program. */
async function runningFirst(dataDir: string, script: string): Promise<NodeJS.ProcessEnv> {
  const file = join(dataDir, '..', 'first.mjs');
  await writeFile(file, script);
  return { NODE_OPTIONS: `--import=${file}` };
}

describe.skipIf(process.platform === 'win32')('rotavox serve with an exception that nobody catches', () => {
  const kinds = [
    ['thrown', 'throw failure'],
    ['rejected', 'Promise.reject(failure)'],
    ['again and again', 'setInterval(() => { throw failure }, 1)'],
    ['no error', "throw 'on purpose: ?code=a-secret'"],
  ] as const;
  for (const [what, how] of kinds) {
    const name = `(${what}) says what happened, closes the journal and ends with 1`;
    it(name, { tags: what === 'thrown' ? [] : ['long'] }, () => expectEnds(how));
  }

  async function expectEnds(how: string): Promise<void> {
    const dataDir = await dataDirForTest();
    const env = await runningFirst(
      dataDir,
      `const failure = Object.assign(new Error('on purpose: /callback?code=a-secret'), { input: 'a-secret' });
      process.on('SIGUSR2', () => { ${how} });`,
    );
    const service = await serviceOn(dataDir, [], env);
    const { child } = service;
    await service.json('token', 'issue', '--name', 'a', '--validity', '7');
    child.kill('SIGUSR2');
    await expect.poll(() => service.stderr.join('\n')).toContain('No saved data is lost');
    const said = service.stderr.join('\n');
    expect(said).toContain('unexpected error');
    expect(said).toContain('on purpose');
    expect(said).not.toContain('a-secret');
    expect(said.split('unexpected error').length).toBeLessThan(8);
    const left = await readdir(dataDir);
    expect(left).not.toContain('runtime.json');
    expect(left).not.toContain('lock');
    // It waits, so that it is not started again at once; whoever stops it does not wait.
    expect(child.exitCode).toBeNull();
    expect(await service.stop('SIGTERM')).toBe(1);
    const again = await serviceHereOn(dataDir);
    expect(JSON.stringify(await again.json('token', 'list'))).toContain('"a"');
    expect(await again.json('status')).toMatchObject({ repairs: [] });
  }

  it('ends with 1 also where it fails while it starts', { tags: ['long'] }, async () => {
    const dataDir = await dataDirForTest();
    // The command is loaded by then, and the service is not.
    const env = await runningFirst(
      dataDir,
      `process.on('newListener', (event) => {
        if (event === 'unhandledRejection') setImmediate(() => { throw new Error('on purpose') });
      });`,
    );
    const child = startPlainServe(dataDir, [], env);
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => said).toContain('No saved data is lost');
    child.kill('SIGTERM');
    expect(await exitCodeOf(child)).toBe(1);
    expect(said).toContain('on purpose');
  });
});

async function folderForTest(): Promise<{ dataDir: string; passphraseFile: string }> {
  const dataDir = await freshDataDir();
  onTestFinished(() => removeDataDir(dataDir));
  const passphraseFile = join(dirname(dataDir), 'passphrase');
  await writeFile(passphraseFile, 'correct horse battery staple\n', { mode: 0o600 });
  return { dataDir, passphraseFile };
}

const issue = ['token', 'issue', '--name', 'a', '--validity', '7', '--keep-as', 'a'];

describe('rotavox serve with a file vault', () => {
  it(
    'opens what it has kept again, with the passphrase file from an option or the environment',
    { tags: ['long'] },
    async () => {
      const { dataDir, passphraseFile } = await folderForTest();
      const first = await serviceOn(dataDir, ['--vault', 'file', '--vault-passphrase-file', passphraseFile]);
      expect((await first.cli(...issue)).code).toBe(0);
      const { stdout: value } = await first.cli('get', 'a');
      await first.stop();
      const second = await serviceOn(dataDir, [], {
        ROTAVOX_VAULT: 'file',
        ROTAVOX_VAULT_PASSPHRASE_FILE: passphraseFile,
      });
      expect((await second.cli('get', 'a')).stdout).toBe(value);
    },
  );

  it('ends with 1 and what to do when the file of the passphrase is open to others', async () => {
    const { dataDir, passphraseFile } = await folderForTest();
    await chmod(passphraseFile, 0o644);
    const args = ['--vault', 'file', '--vault-passphrase-file', passphraseFile];
    const shared = await builtRotavox(['serve', '--port', '0', ...args], { dataDir });
    expect(shared).toMatchObject({ code: 1, stdout: '' });
    expect(shared.stderr).toContain('chmod 600');
  });

  it('ends with 1 and what to do when the passphrase is wrong', { tags: ['long'] }, async () => {
    const { dataDir, passphraseFile } = await folderForTest();
    await FileVault.open({ path: dataDir, passphrase: 'correct horse battery staple' });
    await writeFile(passphraseFile, 'another passphrase\n');
    const args = ['--vault', 'file', '--vault-passphrase-file', passphraseFile];
    const wrong = await builtRotavox(['serve', '--port', '0', ...args], { dataDir });
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toContain('passphrase');
    expect(wrong.stderr).not.toContain('another passphrase');
  });

  it.each([
    ['no passphrase and no terminal', ['--vault', 'file'], {}, '--vault-passphrase-file'],
    ['a passphrase for the keychain', ['--vault-passphrase-file', 'x'], {}, '--vault file'],
    ['an empty file name', ['--vault', 'file', '--vault-passphrase-file', ''], {}, 'needs a file'],
    [
      'a ROTAVOX_VAULT that is none',
      [],
      { ROTAVOX_VAULT: 'paper' },
      'ROTAVOX_VAULT must be keychain, file or postgres',
    ],
    ['a vault in PostgreSQL without a journal there', ['--vault', 'postgres'], {}, 'add --journal'],
  ])('is not started with %s', async (_what, args, env, why) => {
    const { dataDir } = await folderForTest();
    const result = await rotavox(['serve', '--port', '0', ...args], { dataDir, env });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(why);
  });

  it.skipIf(!hasTerminals)(
    'asks for the passphrase on a terminal, once and without showing it',
    { tags: ['long'] },
    async () => {
      const { dataDir } = await folderForTest();
      const terminal = inTerminal(`exec ${shellLine(['serve', '--port', '0', '--vault', 'file'])}`, dataDir);
      await terminal.shows('Passphrase of the file vault');
      terminal.type('correct horse battery staple\r');
      await terminal.shows('Rotavox runs at');
      expect(await rotavox(issue, { dataDir })).toMatchObject({ code: 0 });
      terminal.type('\u0003');
      expect(await terminal.ended).toBe(0);
      expect(terminal.screen()).not.toContain('correct');
    },
  );
});
