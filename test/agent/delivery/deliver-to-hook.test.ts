import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deliver } from '../../../src/agent/delivery/deliver.ts';
import type { DeliveryContext } from '../../../src/agent/delivery/deliver-to-hook.ts';
import type { DeliveryOutcome } from '../../../src/agent/delivery/delivery-outcome.ts';
import type { DeliveryTargetOf } from '../../../src/contract/credential/credential.ts';
import type { DeliveryProblem } from '../../../src/contract/credential/delivery-problem.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { makeContext, setEnvironment } from './preview-setup.ts';

const value = 'rvx_secret-value';
const isPosix = process.platform !== 'win32';
const hasProc = existsSync('/proc/self/cmdline');
/** Only ends a wait that would never end. */
const patience = { timeout: 20_000 };

type Hook = DeliveryTargetOf<'hook'>;

function deliverWith(
  command: readonly string[],
  target: Partial<Hook> = {},
  context: Partial<DeliveryContext> = {},
): Promise<DeliveryOutcome> {
  return deliver(
    {
      kind: 'hook',
      command: [...command],
      pass: 'stdin',
      variable: 'TOKEN',
      time_limit_seconds: 30,
      ...target,
    },
    value,
    makeContext(context),
  );
}

/** A hook in JavaScript; `args` are its arguments. */
function script(code: string, ...args: string[]): string[] {
  const prelude = `const { readFileSync, writeFileSync } = require('node:fs'); const args = process.argv.slice(1);`;
  return [process.execPath, '-e', `${prelude} ${code}`, ...args];
}

/** A hook in the shell's language; `args` are $1 and on. */
function shell(code: string, ...args: string[]): string[] {
  return ['sh', '-c', code, 'hook', ...args];
}

function noteOf(outcome: DeliveryOutcome): string | null {
  if (!outcome.ok) throw new Error(outcome.problem.code);
  return outcome.note;
}

/** Why a hook failed; the token is not in it. */
function problemOf(outcome: DeliveryOutcome): DeliveryProblem {
  if (outcome.ok) throw new Error('It was delivered');
  expect(outcome.retry).toBe(true);
  expect(JSON.stringify(outcome)).not.toContain(value);
  return outcome.problem;
}

describe('a hook', () => {
  it('reads the token and a line break on its stdin, and not in its environment', async () => {
    const path = join(makeFolder(), 'read');
    const code = `writeFileSync(args[0], JSON.stringify([readFileSync(0, 'utf8'), process.env]));`;
    expect(await deliverWith(script(code, path))).toEqual({ ok: true, note: null });
    const [input, environment] = JSON.parse(readFileSync(path, 'utf8')) as [string, NodeJS.ProcessEnv];
    expect(input).toBe(`${value}\n`);
    expect(JSON.stringify(environment)).not.toContain(value);
  });

  it('finds the token in its environment when it is passed there, and nothing on its stdin', async () => {
    const path = join(makeFolder(), 'read');
    const code = `writeFileSync(args[0], JSON.stringify([readFileSync(0, 'utf8'), process.env.TOKEN]));`;
    expect(await deliverWith(script(code, path), { pass: 'env' })).toEqual({ ok: true, note: null });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(['', value]);
  });

  it('knows credential and generation, and has the listed part of our environment', async () => {
    setEnvironment('ROTAVOX_VAULT_KEY', 'opens-it');
    setEnvironment('ROTAVOX_VAULT_', 'opens-it');
    for (const name of [
      'PGPASSWORD',
      'CREDENTIALS_DIRECTORY',
      'SOME_API_TOKEN',
      'LD_AUDIT',
      'BASH_ENV',
      'NODE_OPTIONS',
    ]) {
      setEnvironment(name, 'opens-it');
    }
    setEnvironment('LC_TIME', 'C');
    const path = join(makeFolder(), 'environment');
    await deliverWith(script('writeFileSync(args[0], JSON.stringify(process.env));', path));
    const environment = JSON.parse(readFileSync(path, 'utf8')) as NodeJS.ProcessEnv;
    expect(environment).toMatchObject({
      ROTAVOX_CREDENTIAL: 'billing',
      ROTAVOX_GENERATION: '7',
      LC_TIME: 'C',
      PATH: process.env['PATH'],
    });
    expect(JSON.stringify(environment)).not.toMatch(/ROTAVOX_VAULT_|opens-it/);
  });

  it('is not run with a variable that loads code, which an older version let be chosen', async () => {
    expect(await deliverWith(script(''), { pass: 'env', variable: 'NODE_OPTIONS' })).toMatchObject({
      ok: false,
      retry: false,
      problem: { code: 'variable_not_allowed', variable: 'NODE_OPTIONS' },
    });
  });

  it.runIf(hasProc).each(['stdin', 'env'] as const)(
    'does not show the token in its arguments when it is passed by %s',
    async (pass) => {
      const path = join(makeFolder(), 'cmdline');
      const code = `writeFileSync(args[0], readFileSync('/proc/self/cmdline'));`;
      expect(await deliverWith(script(code, path, 'two words; $HOME'), { pass })).toMatchObject({ ok: true });
      const line = readFileSync(path, 'utf8');
      expect(line.split('\0').slice(-2)).toEqual(['two words; $HOME', '']);
      expect(line).not.toContain(value);
    },
  );

  it('is done when its exit code is 0; what it printed is noted without the token', async () => {
    const code = `
      const read = readFileSync(0, 'utf8').trim();
      process.stderr.write('warm\\n');
      process.stdout.write('set ' + read.slice(0, 5));
      setTimeout(() => process.stdout.write(read.slice(5) + ' and ' + read + read + '\\n'), 50);`;
    const note = noteOf(await deliverWith(script(code)));
    expect(note).toContain('warm');
    expect(note).toContain('•••• and ••••••••');
    expect(note).not.toContain('secret');
  });

  it('has only the last 2 KB of its output noted, however much it prints', async () => {
    const code = `process.stdout.write(('x'.repeat(1000) + process.env.TOKEN).repeat(1000) + 'the end')`;
    const note = noteOf(await deliverWith(script(code), { pass: 'env' }));
    expect(note).toMatch(/^[x•]+the end$/);
    expect(Buffer.byteLength(note ?? '')).toBeLessThanOrEqual(2048);
  });

  it('need not read its stdin', async () => {
    const outcome = deliver(
      {
        kind: 'hook',
        command: script('process.stdin.destroy()'),
        pass: 'stdin',
        variable: 'TOKEN',
        time_limit_seconds: 30,
      },
      'x'.repeat(1_000_000),
      makeContext(),
    );
    expect(await outcome).toEqual({ ok: true, note: null });
  });

  it.runIf(isPosix)('may start a program that continues after it ends', async () => {
    const path = join(makeFolder(), 'pid');
    const outcome = await deliverWith(shell('sleep 300 & echo $! > "$1"; echo started', path));
    const pid = Number(readFileSync(path, 'utf8'));
    try {
      expect(noteOf(outcome)).toBe('started');
      expect(isRunning(pid)).toBe(true);
    } finally {
      process.kill(pid, 'SIGKILL');
    }
  });
});

describe('a hook that fails', () => {
  it('is reported with its exit code and its output, without the token', async () => {
    const code = `console.log('no host for ' + readFileSync(0, 'utf8')); process.exitCode = 3;`;
    expect(problemOf(await deliverWith(script(code)))).toEqual({
      code: 'hook',
      program: process.execPath,
      end: { kind: 'exited', exitCode: 3 },
      output: 'no host for ••••',
    });
  });

  it.runIf(isPosix)('is reported with the signal that ended it', async () => {
    expect(problemOf(await deliverWith(shell('kill -KILL $$')))).toMatchObject({
      program: 'sh',
      end: { kind: 'killed', signal: 'SIGKILL' },
    });
  });

  it('is reported when it does not exist', async () => {
    const missing = join(makeFolder(), 'missing');
    expect(problemOf(await deliverWith([missing]))).toMatchObject({
      program: missing,
      end: { kind: 'not_started', systemCode: 'ENOENT' },
    });
  });

  it.runIf(isPosix)('is reported when its interpreter does not exist', async () => {
    const path = join(makeFolder(), 'hook');
    writeFileSync(path, '#!/missing/interpreter\n', { mode: 0o755 });
    expect(problemOf(await deliverWith([path]))).toMatchObject({
      end: { kind: 'not_started', systemCode: 'ENOENT' },
    });
  });

  it.runIf(isPosix)('is reported when it is not executable', async () => {
    const path = join(makeFolder(), 'hook');
    writeFileSync(path, '#!/bin/sh\n', { mode: 0o644 });
    expect(problemOf(await deliverWith([path]))).toMatchObject({
      program: path,
      end: { kind: 'not_started', systemCode: 'EACCES' },
    });
  });

  it.runIf(isPosix)('is reported when the system refuses to start it at all', async () => {
    const tooLong = 'x'.repeat(3_000_000);
    expect(problemOf(await deliverWith(shell(':', tooLong)))).toMatchObject({
      end: { kind: 'not_started', systemCode: 'E2BIG' },
    });
  });

  it('cannot get a NUL in its environment, and is not run', async () => {
    const path = join(makeFolder(), 'ran');
    const outcome = await deliver(
      {
        kind: 'hook',
        command: script('writeFileSync(args[0], "")', path),
        pass: 'env',
        variable: 'TOKEN',
        time_limit_seconds: 30,
      },
      `${value}\0`,
      makeContext(),
    );
    expect(outcome).toMatchObject({ ok: false, retry: false, problem: { code: 'nul_in_token' } });
    expect(JSON.stringify(outcome)).not.toContain(value);
    expect(existsSync(path)).toBe(false);
  });
});

describe.runIf(isPosix)('a hook past its time limit', () => {
  it('is ended with everything it started', async () => {
    const path = join(makeFolder(), 'pids');
    const command = shell(
      'sleep 300 & sh -c "sleep 300 & echo \\$!; wait" >> "$1" & echo $! $$ >> "$1"; wait',
      path,
    );
    expect(problemOf(await deliverWith(command, { time_limit_seconds: 1 }))).toMatchObject({
      program: 'sh',
      end: { kind: 'time_limit', seconds: 1 },
    });
    await expectGone(path, 3);
  });

  it(
    'is killed when it ignores the signal, and otherwise has time to finish',
    { tags: ['long'] },
    async () => {
      const folder = makeFolder();
      const [pids, tidied] = [join(folder, 'pids'), join(folder, 'tidied')];
      const deaf = `sh -c 'trap "" TERM; while :; do sleep 0.1; done' &`;
      const tidy = `sh -c 'trap "echo > \\"$0\\"; exit" TERM; while :; do sleep 0.1; done' "$2" &`;
      const command = shell(`${deaf} echo $! >> "$1"; ${tidy} echo $! $$ >> "$1"; wait`, pids, tidied);
      problemOf(await deliverWith(command, { time_limit_seconds: 1 }));
      await expectGone(pids, 3);
      expect(existsSync(tidied)).toBe(true);
    },
  );

  it('has not delivered even if it ends well when it is asked to end', async () => {
    const command = shell('trap "exit 0" TERM; while :; do sleep 0.1; done');
    expect(problemOf(await deliverWith(command, { time_limit_seconds: 1 }))).toMatchObject({
      end: { kind: 'time_limit' },
    });
  });
});

describe.runIf(isPosix)('a hook at the stop of the program', () => {
  it('is ended with everything it started, to be run again', { tags: ['long'] }, async () => {
    const path = join(makeFolder(), 'pids');
    const stop = new AbortController();
    const delivery = deliverWith(
      shell('sleep 300 & echo $! $$ > "$1.new"; mv "$1.new" "$1"; wait', path),
      {},
      { signal: stop.signal },
    );
    await expect.poll(() => existsSync(path), patience).toBe(true);
    stop.abort();
    expect(problemOf(await delivery)).toMatchObject({ end: { kind: 'stopped' } });
    await expectGone(path, 2);
  });

  it('is not begun after it', async () => {
    const path = join(makeFolder(), 'ran');
    const outcome = await deliverWith(shell(': > "$1"', path), {}, { signal: AbortSignal.abort() });
    expect(problemOf(outcome)).toEqual({ code: 'stopped' });
    expect(existsSync(path)).toBe(false);
  });
});

/** Whether the processes whose ids are in the file have ended. */
async function expectGone(path: string, count: number): Promise<void> {
  const pids = readFileSync(path, 'utf8').split(/\s+/).filter(Boolean).map(Number);
  expect(pids).toHaveLength(count);
  for (const pid of pids) await expect.poll(() => isRunning(pid), patience).toBe(false);
}

/** A process that has ended but whose exit code was not read does not run. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (!hasProc) return true;
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'latin1') : ') Z';
  return !stat.slice(stat.lastIndexOf(')')).startsWith(') Z');
}
