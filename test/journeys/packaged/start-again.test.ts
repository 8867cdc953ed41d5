import { expect } from '@playwright/test';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Panel } from '../electron/panel.ts';
import { RunningApp } from '../electron/running-app.ts';
import { test } from './packaged-app.ts';

test.skip(process.platform !== 'linux', 'processes are found in /proc');
// Starting again is what is tried here; elsewhere a killed app would come back after its test.
test.use({ startsAgain: true });
test.describe.configure({ timeout: 300_000 });

const rounds = Number(process.env['ROTAVOX_ENDS'] ?? 10);

/** All processes of the packed app, and the one that would start it again, each with its command line. */
function processesOf(executablePath: string): { pid: number; line: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, state] = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return state !== 'Z' && line.includes(executablePath) ? [{ pid: Number(pid), line }] : [];
      } catch {
        return []; // it ended while we looked
      }
    });
}

function pidIn(runtimeFile: string): number | null {
  if (!existsSync(runtimeFile)) return null;
  return (JSON.parse(readFileSync(runtimeFile, 'utf8')) as { pid: number }).pid;
}

/** A service that lets the first rotation wait for ever, and answers the same key with the same token. */
async function slowService() {
  const rotated: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/v1/auth/token') {
      const expires_at = new Date(Date.now() + 7 * 86_400_000).toISOString();
      response.end(JSON.stringify({ name: 'crm', status: 'Active', expires_at, validity_days: 7 }));
      return;
    }
    if (request.headers.authorization !== 'Bearer first-token') {
      response
        .writeHead(401)
        .end(JSON.stringify({ success: false, message: 'The provided token is invalid.' }));
      return;
    }
    rotated.push(request.headers['idempotency-key'] as string | undefined);
    if (rotated.length > 1)
      response.end(JSON.stringify({ success: true, access_token: 'second-token', validity_days: 7 }));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { baseUrl: `http://127.0.0.1:${port}`, rotated, close };
}

test('the app is back after it was killed, makes the rotation that was open, and ends for good when it is asked', async ({
  start,
  owner,
  executablePath,
}) => {
  const service = await slowService();
  start('--hidden');
  await expect.poll(() => pidIn(owner.runtimeFile)).not.toBeNull();
  expect(processesOf(executablePath).length).toBeGreaterThan(2);
  const first = pidIn(owner.runtimeFile)!;
  await owner.ask('addCredential', {
    body: { name: 'crm', value: 'first-token', base_url: service.baseUrl },
  });
  const rotating = owner.ask('rotateCredential', { params: { name: 'crm' } }).catch(() => undefined);
  await expect.poll(() => service.rotated.length).toBe(1);
  const killedAt = performance.now();
  process.kill(first, 'SIGKILL');
  await rotating;
  await expect.poll(() => pidIn(owner.runtimeFile), { timeout: 30_000, intervals: [50] }).not.toBe(first);
  console.log(`back after ${Math.round(performance.now() - killedAt)} ms`);
  await expect
    .poll(async () => (await owner.ask('readCredential', { params: { name: 'crm' } })).generation, {
      timeout: 60_000,
    })
    .toBe(2);
  expect(new Set(service.rotated).size).toBe(1);
  const { value } = await owner.ask('readCredentialValue', { params: { name: 'crm' } });
  expect(value).toBe('second-token');
  service.close();

  const second = pidIn(owner.runtimeFile)!;
  process.kill(second, 'SIGTERM');
  await expect.poll(() => processesOf(executablePath), { timeout: 30_000 }).toEqual([]);
  await wait(3_000);
  expect(processesOf(executablePath)).toEqual([]);
  expect(existsSync(owner.runtimeFile)).toBe(false);
});

test(`the app ends cleanly when all its processes are told to end at once, ${rounds} times`, async ({
  start,
  owner,
  executablePath,
}) => {
  for (let round = 0; round < rounds; round += 1) {
    const app = start('--hidden');
    await expect.poll(() => pidIn(owner.runtimeFile), { timeout: 30_000 }).not.toBeNull();
    // At different moments of its start and after it.
    await wait(round * 40);
    for (const { pid } of processesOf(executablePath)) {
      try {
        process.kill(pid, 'SIGTERM');
      } catch {
        // It has ended by itself meanwhile.
      }
    }
    expect(await app.ended, app.words).toBe(0);
    await expect.poll(() => processesOf(executablePath), { timeout: 30_000 }).toEqual([]);
    expect(existsSync(owner.runtimeFile)).toBe(false);
  }
});

test('the app stays away after it was killed where a person wants that', async ({
  start,
  owner,
  dataDir,
  executablePath,
}) => {
  mkdirSync(join(dataDir, 'window-profile'), { recursive: true });
  writeFileSync(join(dataDir, 'window-profile', 'desktop.json'), JSON.stringify({ startsAgain: false }));
  start('--hidden');
  await expect.poll(() => pidIn(owner.runtimeFile)).not.toBeNull();
  process.kill(pidIn(owner.runtimeFile)!, 'SIGKILL');
  await expect.poll(() => processesOf(executablePath), { timeout: 30_000 }).toEqual([]);
  await wait(3_000);
  expect(processesOf(executablePath)).toEqual([]);
});

test('an app whose program was replaced by an upgrade starts the new one, once no window is open', async ({
  launch,
  owner,
  executablePath,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'rotavox-installed-'));
  cpSync(dirname(executablePath), folder, { recursive: true });
  const installed = join(folder, basename(executablePath));
  // Without one the app opens a window, and waits until that is closed.
  const panel = await Panel.start();
  const app = new RunningApp({ ...launch, executablePath: installed, args: [...launch.args, '--hidden'] });
  try {
    await expect.poll(() => pidIn(owner.runtimeFile), { timeout: 30_000 }).not.toBeNull();
    const first = pidIn(owner.runtimeFile)!;
    // As dpkg does it: another file gets the name.
    copyFileSync(executablePath, `${installed}.new`);
    renameSync(`${installed}.new`, installed);
    await expect.poll(() => pidIn(owner.runtimeFile) ?? first, { timeout: 180_000 }).not.toBe(first);
    expect(await app.ended, app.words).toBe(0);
    process.kill(pidIn(owner.runtimeFile)!, 'SIGTERM');
    await expect.poll(() => processesOf(installed), { timeout: 30_000 }).toEqual([]);
  } finally {
    await app.clearAway();
    await panel.close();
    for (const { pid } of processesOf(installed)) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
