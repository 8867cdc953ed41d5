import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockFolder } from '../../src/host/folder-lock.ts';
import { startHost } from '../../src/host/start-host.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import type { ContenderOrder, ContenderReport } from './lock-contender.ts';
import { differencesOf, readFolder } from './data-folder.ts';
import { DidNotStart, type ServiceProcess, startService } from './service-process.ts';

function leaveLock(folder: string, content: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'lock'), content, { mode: 0o600 });
}

/** The id of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'close');
  return child.pid ?? 0;
}

async function expectWorks(service: ServiceProcess): Promise<void> {
  await service.owner('POST', '/portal/tokens', { name: 'n', validity_days: 1 });
}

describe('two processes on one folder', () => {
  it('are one too many: the second is refused with the holder, and changes nothing', async () => {
    const folder = makeFolder();
    const first = await startService(folder);
    await expectWorks(first);
    const before = readFolder(folder);
    const second = startHost({ dataDir: folder, port: 0 });
    await expect(second).rejects.toMatchObject({ code: 'DATA_DIR_HELD' });
    await expect(second).rejects.toThrow(`process ${first.pid}`);
    await expect(second).rejects.toThrow(folder);
    expect(differencesOf(before, readFolder(folder))).toEqual([]);
    await expectWorks(first);
    expect(await first.stop()).toBe(0);
    expect(readdirSync(folder)).not.toContain('lock');
    await (await startHost({ dataDir: folder, port: 0 })).close();
  });

  it(
    'are one when the first was killed: its lock and its runtime file count for nothing',
    { tags: ['long'] },
    async () => {
      const folder = makeFolder();
      const first = await startService(folder);
      await expectWorks(first);
      await first.kill();
      expect(readdirSync(folder)).toContain('lock');
      const second = await startService(folder);
      await expectWorks(second);
      expect(JSON.parse(readFileSync(join(folder, 'runtime.json'), 'utf8'))).toMatchObject({
        pid: second.pid,
      });
      expect(await second.stop()).toBe(0);
      expect(readdirSync(folder)).not.toContain('runtime.json');
    },
  );
});

describe('a lock that was left behind', () => {
  it('by a process whose id another one has now is taken over', { tags: ['long'] }, async () => {
    const folder = makeFolder();
    leaveLock(folder, JSON.stringify({ pid: process.pid, started: 'another-boot 12345' }));
    const service = await startService(folder);
    await expectWorks(service);
    expect(await service.stop()).toBe(0);
  });

  it.each([
    ['is empty', ''],
    ['is cut short', '{"pid":12'],
    ['is not JSON', 'held'],
    ['is JSON of another kind', '[]'],
    ['is null', 'null'],
    ['names no process', '{"pid":0,"started":""}'],
    ['names a group of processes', '{"pid":-1,"started":"x"}'],
    ['names what is no id', '{"pid":1.5,"started":"x"}'],
    ['names an id beyond all ids', '{"pid":99999999999,"started":"x"}'],
  ])('and %s is taken over', (_what, content) => {
    const folder = makeFolder();
    leaveLock(folder, content);
    const lock = lockFolder(folder);
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toContain(String(process.pid));
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')(
    'by a process that is dead and not yet buried is taken over',
    { tags: ['long'] },
    async () => {
      const folder = makeFolder();
      // The shell becomes `sleep`, which never reads the exit code of its child: the child stays a zombie.
      const script = `"$1" "$2" '${JSON.stringify({ dataDir: folder })}' & echo $!; exec sleep 60`;
      const args = ['-c', script, 'sh', process.execPath, join(import.meta.dirname, 'serve.ts')];
      const parent = spawn('sh', args, { stdio: ['ignore', 'pipe', 'inherit'] });
      onTestFinished(() => void parent.kill('SIGKILL'));
      const said = await new Promise<string>((resolve) => {
        let text = '';
        parent.stdout.on('data', (chunk: Buffer) => {
          text += chunk.toString();
          if (text.includes('"ready"')) resolve(text);
        });
      });
      const pid = Number(said.split('\n', 1)[0]);
      process.kill(pid, 'SIGKILL');
      for (let state = ''; state !== 'Z';) {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        state = stat[stat.lastIndexOf(')') + 2] ?? '';
        await new Promise(setImmediate);
      }
      const service = await startService(folder);
      await expectWorks(service);
      expect(await service.stop()).toBe(0);
    },
  );
});

describe('twenty processes at once', () => {
  it(
    'that start on the lock of a process that died: exactly one gets it, and nothing of the others is left',
    { tags: ['long'] },
    async () => {
      const folder = makeFolder();
      leaveLock(folder, JSON.stringify({ pid: await deadPid(), started: 'before' }));
      const starts = await Promise.allSettled(Array.from({ length: 20 }, () => startService(folder)));
      const started = starts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(started).toHaveLength(1);
      for (const one of starts) {
        if (one.status === 'fulfilled') continue;
        const refusal = one.reason as DidNotStart;
        expect(refusal).toBeInstanceOf(DidNotStart);
        expect(refusal.exitCode, refusal.said).toBe(1);
        expect(refusal.said).toContain(folder);
        expect(refusal.said).not.toMatch(/\n\s+at /);
      }
      await expectWorks(started[0]!);
      expect(await started[0]!.stop()).toBe(0);
      expect(readdirSync(folder).filter((name) => name.startsWith('lock'))).toEqual([]);
    },
  );

  it(
    'that take over locks as fast as they can: never two have it at a time, thousands of times',
    { tags: ['long'] },
    async () => {
      const folder = makeFolder();
      const contenders = await Promise.all(Array.from({ length: 6 }, startContender));
      const order: ContenderOrder = {
        folder,
        deadPid: await deadPid(),
        attempts: Number(process.env['ROTAVOX_CHAOS_LOCK_ATTEMPTS'] ?? 200),
      };
      const reports = await Promise.all(contenders.map((contender) => ask(contender, order)));
      const sum = (of: (report: ContenderReport) => number) =>
        reports.reduce((total, report) => total + of(report), 0);
      expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
      expect(sum(({ owned }) => owned)).toBeGreaterThan(100);
      expect(
        sum(({ shared }) => shared),
        'times that two owned it',
      ).toBe(0);
      const service = await startService(folder);
      expect(await service.stop()).toBe(0);
      expect(readdirSync(folder).filter((name) => name.startsWith('lock'))).toEqual([]);
    },
  );
});

async function startContender(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'lock-contender.ts'));
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

async function ask(contender: ChildProcess, order: ContenderOrder): Promise<ContenderReport> {
  contender.send(order);
  const [report] = (await once(contender, 'message')) as [ContenderReport];
  return report;
}

it('a lock that is a folder is reported in a sentence, and nothing is changed', () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'lock'), { recursive: true });
  expect(() => lockFolder(folder)).toThrow(/cannot be locked \(EISDIR\)\. Look at .*lock/);
  expect(readdirSync(folder)).toEqual(['lock']);
});

describe('a holder on another system', () => {
  /** As on a machine with another operating system. */
  function pretend(platform: NodeJS.Platform): void {
    const here = process.platform;
    Object.defineProperty(process, 'platform', { value: platform });
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value: here }));
  }

  function setVariables(variables: NodeJS.ProcessEnv): void {
    const before = process.env;
    process.env = { ...before, ...variables };
    onTestFinished(() => void (process.env = before));
  }

  it('is recognised from another zone and language (macOS)', () => {
    pretend('darwin');
    const folder = makeFolder();
    setVariables({ TZ: 'UTC' });
    const lock = lockFolder(folder);
    setVariables({ TZ: 'Asia/Tokyo', LC_ALL: 'C' });
    expect(() => lockFolder(folder)).toThrow(/already runs/);
    lock.release();
    lockFolder(folder).release();
  });

  it('is known by its program’s name, so that a reused id holds nothing (Windows)', () => {
    pretend('win32');
    const folder = makeFolder();
    const bin = makeFolder();
    mkdirSync(join(bin, 'System32'), { recursive: true });
    setVariables({ SystemRoot: bin });
    const runs = (program: string): void =>
      writeFileSync(
        join(bin, 'System32', 'tasklist.exe'),
        `#!/bin/sh\necho\necho '"${program}","${process.ppid}","Console","1","9,876 K"'\n`,
        { mode: 0o755 },
      );
    leaveLock(folder, JSON.stringify({ pid: process.ppid, started: 'rotavox.exe' }));
    runs('Rotavox.exe');
    expect(() => lockFolder(folder)).toThrow(/already runs/);
    runs('svchost.exe');
    lockFolder(folder).release();
    expect(readdirSync(folder)).not.toContain('lock');
  });
});
