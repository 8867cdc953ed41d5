import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCommand } from '../tools/run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'rotavox-command-'));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('says how a command ended', async () => {
  const run = (line: string) => runCommand({ argv: ['sh', '-c', line], timeoutMs: 60_000, quiet: true });
  expect(await run('true')).toMatchObject({ ok: true, reason: '' });
  expect(await run('exit 3')).toMatchObject({ ok: false, reason: 'exit code 3' });
  expect(await run('kill -9 $$')).toMatchObject({ ok: false, reason: 'ended by SIGKILL' });
});

it.runIf(process.platform === 'linux')(
  'ends a command whose time is over, also while a process out of its reach holds its output open',
  async () => {
    const pidFile = join(folder, 'pid');
    const line = `setsid sh -c 'echo $$ >${pidFile}; exec sleep 600' & until [ -s ${pidFile} ]; do sleep 0.01; done; exec sleep 600`;
    const command = { argv: ['sh', '-c', line], timeoutMs: 3_000, graceMs: 100, quiet: true } as const;
    try {
      const { ok, reason } = await runCommand(command);
      expect([ok, reason]).toEqual([false, 'no end after 0 min']);
    } finally {
      if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8')));
    }
  },
);
