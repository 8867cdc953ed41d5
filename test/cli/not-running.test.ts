import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { tokenStatuses } from '../../src/contract/token/token.ts';
import { fileWith } from './menu.ts';
import { builtRotavox, freshDataDir, removeDataDir, rotavox, serviceForTest } from './rotavox.ts';
import { serviceHere } from './service-here.ts';
import { StandInService } from './stand-in-service.ts';

async function dataDirForTest(): Promise<string> {
  const dataDir = await freshDataDir();
  onTestFinished(() => removeDataDir(dataDir));
  await mkdir(dataDir);
  return dataDir;
}

async function writeRuntimeFile(dataDir: string, content: object | string): Promise<void> {
  await writeFile(
    join(dataDir, 'runtime.json'),
    typeof content === 'string' ? content : JSON.stringify(content),
  );
}

/** A port at which nothing listens any more. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The id of a process of another user: root's first one, or, as root, one of another user. */
function pidOfSomebodyElse(): number {
  if (process.getuid?.() !== 0) return 1;
  const child = spawn('sleep', ['60'], { uid: 65534, gid: 65534, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child.pid!;
}

describe('a command that needs the service', () => {
  it.each([
    'history --follow',
    'history --verify',
    'calls --live',
    'credential target pbx add file /srv/token',
  ])('ends with 3 when it does not run: %s', async (command) => {
    const dataDir = await dataDirForTest();
    const result = await rotavox(command.split(' '), { dataDir });
    expect(result).toMatchObject({ code: 3, stdout: '' });
    expect(result.stderr).toContain(`not running with the data folder ${dataDir}.`);
  });

  it(
    'ends with 3 when the runtime file was left by a service that was killed',
    { tags: ['long'] },
    async () => {
      const service = await serviceForTest();
      await service.stop('SIGKILL');
      const runtime = await readFile(join(service.dataDir, 'runtime.json'), 'utf8');
      const result = await service.cli('status');
      expect(result).toMatchObject({ code: 3, stdout: '' });
      expect(result.stderr).toContain(`Process ${String(service.child.pid)}`);
      expect(result.stderr).not.toContain((JSON.parse(runtime) as { portal_key: string }).portal_key);
    },
  );

  it('ends with 3 when nothing answers at the address in the runtime file', async () => {
    const dataDir = await dataDirForTest();
    const baseUrl = `http://127.0.0.1:${String(await closedPort())}`;
    await writeRuntimeFile(dataDir, { pid: process.pid, base_url: baseUrl, portal_key: 'rvk_secret' });
    const result = await rotavox(['token', 'list'], { dataDir });
    expect(result).toMatchObject({ code: 3, stdout: '' });
    expect(result.stderr).toContain(baseUrl);
    expect(result.stderr).not.toContain('rvk_secret');
  });

  it(
    'ends with 3 when another Rotavox answers at the address in the runtime file',
    { tags: ['long'] },
    async () => {
      const other = await serviceHere();
      const dataDir = await dataDirForTest();
      await writeRuntimeFile(dataDir, {
        pid: process.pid,
        base_url: other.baseUrl,
        portal_key: 'rvk_secret',
      });
      for (const command of ['status', 'history --follow']) {
        const result = await rotavox(command.split(' '), { dataDir });
        expect(result).toMatchObject({ code: 3, stdout: '' });
        expect(result.stderr).toContain('Another Rotavox answers');
        expect(result.stderr).not.toContain('rvk_secret');
      }
    },
  );

  it('ends with 3 and sends nothing when another user has the id and the port of the service that crashed', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    const dataDir = await dataDirForTest();
    const { port } = server.address() as AddressInfo;
    await writeRuntimeFile(dataDir, {
      pid: pidOfSomebodyElse(),
      base_url: `http://127.0.0.1:${String(port)}`,
      portal_key: 'rvk_secret',
    });
    const result = await rotavox(['status'], { dataDir });
    expect(result).toMatchObject({ code: 3, stdout: '' });
    expect(result.stderr).toContain('did not shut down cleanly');
    expect(asked).toEqual([]);
  });

  it('ends with 3 and sends no key when another program has the port and passes the question on to the service', async () => {
    const service = await serviceHere();
    const heard: string[] = [];
    const relay = createServer((request, response) => {
      heard.push(JSON.stringify([request.url, request.headers]));
      void fetch(`${service.baseUrl}${request.url ?? ''}`).then(async (answer) =>
        response.end(await answer.text()),
      );
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => relay.once('listening', resolve));
    onTestFinished(() => void relay.close());
    const { port } = relay.address() as AddressInfo;
    const file = join(service.dataDir, 'runtime.json');
    const runtime = JSON.parse(await readFile(file, 'utf8')) as { portal_key: string; proves: boolean };
    expect(runtime.proves).toBe(true);
    await writeRuntimeFile(service.dataDir, { ...runtime, base_url: `http://127.0.0.1:${String(port)}` });
    for (const command of ['status', 'get pbx', 'history --follow']) {
      const run = command.startsWith('get') ? builtRotavox : rotavox;
      const result = await run(command.split(' '), { dataDir: service.dataDir });
      expect(result).toMatchObject({ code: 3, stdout: '' });
      expect(result.stderr).toContain('Another Rotavox answers');
    }
    expect(heard.length).toBeGreaterThanOrEqual(3);
    expect(heard.join()).not.toContain(runtime.portal_key);
  });

  it('says so when the service has another version, and only then', async () => {
    const service = await StandInService.start();
    const about = (version: string) => ({
      version,
      base_url: 'http://127.0.0.1:7682',
      data_dir: service.dataDir,
      pid: 1,
      started_at: '2026-11-21T12:00:00.000Z',
      tokens: Object.fromEntries(tokenStatuses.map((status) => [status, 0])),
      ivrs: 0,
      store: { status: 'ok', last_seq: 0 },
      repairs: [],
    });
    service.answers.set('GET /portal/status', [200, about('99.1.0')]);
    const other = await rotavox(['status'], { dataDir: service.dataDir });
    expect(other.stdout).toContain('99.1.0');
    expect(other).toMatchObject({
      code: 0,
      stderr:
        `This command is version ${packageJson.version}, and the service is version 99.1.0. ` +
        'If two versions are installed, remove one of them; if Rotavox was updated, restart it.\n',
    });
    service.answers.set('GET /portal/status', [200, about(packageJson.version)]);
    expect(await rotavox(['status'], { dataDir: service.dataDir })).toMatchObject({ code: 0, stderr: '' });
  });

  it('ends with 1 when another program answers at the address in the runtime file', async () => {
    const server = createServer((_request, response) => response.end('<h1>Something else</h1>'));
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    const dataDir = await dataDirForTest();
    const { port } = server.address() as AddressInfo;
    await writeRuntimeFile(dataDir, {
      pid: process.pid,
      base_url: `http://127.0.0.1:${String(port)}`,
      portal_key: 'rvk_secret',
    });
    const result = await rotavox(['status'], { dataDir });
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain('does not answer like this version of Rotavox');
    expect(result.stderr).not.toContain('rvk_secret');
  });

  it.each(['{', '[]', '{"pid":1,"portal_key":"rvk_secret"}'])(
    'ends with 3 and shows nothing of a runtime file that is none: %s',
    async (content) => {
      const dataDir = await dataDirForTest();
      await writeRuntimeFile(dataDir, content);
      const result = await rotavox(['status'], { dataDir });
      expect(result.code).toBe(3);
      expect(result.stderr).toContain('runtime.json');
      expect(result.stderr).not.toContain('rvk_secret');
    },
  );

  it('ends with 3 when the data folder is a file, and when the runtime file may not be read', async () => {
    const file = await fileWith('x');
    expect((await rotavox(['status'], { dataDir: file })).code).toBe(3);
    const dataDir = await dataDirForTest();
    // A folder cannot be read as a file, not even by root.
    await mkdir(join(dataDir, 'runtime.json'));
    await chmod(dataDir, 0o700);
    const result = await rotavox(['status'], { dataDir });
    expect(result.code).toBe(3);
    expect(result.stderr).toContain('EISDIR');
  });
});

describe('the data folder', () => {
  it(
    'is the folder of --data-dir, before or after the command, rather than ROTAVOX_DATA_DIR',
    { tags: ['long'] },
    async () => {
      const service = await serviceHere();
      const elsewhere = { dataDir: '/nowhere/at/all' };
      expect((await rotavox(['status'], elsewhere)).code).toBe(3);
      expect((await rotavox(['--data-dir', service.dataDir, 'status'], elsewhere)).code).toBe(0);
      expect((await rotavox(['status', '--data-dir', service.dataDir], elsewhere)).code).toBe(0);
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'is the one of the system when nothing else is said: XDG_CONFIG_HOME, else ~/.config',
    async () => {
      const home = dirname(await dataDirForTest());
      const byXdg = await rotavox(['status'], { env: { HOME: home, XDG_CONFIG_HOME: '/xdg' } });
      expect(byXdg.stderr).toContain('data folder /xdg/Rotavox/data.');
      const byHome = await builtRotavox(['status'], { env: { HOME: home, ROTAVOX_DATA_DIR: '' } });
      expect(byHome.stderr).toContain(`data folder ${home}/.config/Rotavox/data.`);
    },
  );
});
