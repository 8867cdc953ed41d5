/** What the runner does with a command line that answers in every way; `test/cli/connect-from-window.test.ts` has the real one. */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConnectionId } from '../../src/contract/credential/tool-connection.ts';
import { ToolCommandRunner } from '../../src/host/tool-command-runner.ts';
import { toolCommandText } from '../../src/text/credential/connection-text.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

const id = 'con_abcdefghij12' as ConnectionId;
const wanted = {
  credential: 'nightly',
  tool: 'git',
  url: 'https://git.example.com',
  username: '--replace',
  replace: false,
  dry_run: true,
} as const;
const preview = { changes: [], by_hand: null, other_helpers: [] };

/** A runner whose command line is a script of `sh`. */
function runnerOf(script: string, more: { limitMs?: number; closingMs?: number } = {}) {
  const dataDir = makeFolder();
  const file = join(dataDir, 'command line');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o700);
  const words = () => readFileSync(join(dataDir, 'words'), 'utf8').split('\n').slice(0, -1);
  return { dataDir, words, runner: new ToolCommandRunner({ dataDir, program: [file], uid: 1000, ...more }) };
}

const printing = (answer: object) =>
  `printf '%s\\n' "$@" > words\ncat <<'END'\n${JSON.stringify(answer)}\nEND`;

describe('a command that is run for a window', () => {
  it('gets each word by itself, and nothing that was typed as an option', async () => {
    const { runner, words, dataDir } = runnerOf(printing(preview));
    expect(await runner.connect(wanted)).toEqual({
      ok: true,
      value: { ...preview, connection: null, checks: [] },
    });
    const start = ['--data-dir', dataDir];
    expect(words()).toEqual([
      ...[...start, 'connect', 'git', '--url=https://git.example.com', '--username=--replace'],
      ...['--dry-run', '--json', '--', 'nightly'],
    ]);
    const checked = runnerOf(printing({ connections: [{ checks: [], by_hand: null }] }));
    expect(await checked.runner.check(id)).toMatchObject({ ok: true });
    expect(checked.words().slice(2)).toEqual(['connect', 'check', '--json', '--', id]);
    const undone = runnerOf(printing({ changes: [], says: ['Left.'] }));
    expect(await undone.runner.disconnect(id, { isDryRun: false })).toMatchObject({
      ok: true,
      value: { says: ['Left.'] },
    });
    expect(undone.words().slice(2)).toEqual(['disconnect', '--json', '--', id]);
  });

  it('names a helper by its program, and not by a line of a shell that may have a secret in it', async () => {
    const file = '/home/me/.gitconfig';
    const values = [
      '',
      'store --file x',
      '!/usr/bin/gh auth git-credential',
      '!f() { echo password=s3cret; }; f',
    ];
    const others = values.map((value) => ({ value, file }));
    const { runner } = runnerOf(printing({ ...preview, other_helpers: others }));
    const answer = await runner.connect(wanted);
    expect(answer).toMatchObject({
      value: {
        other_helpers: [
          { name: 'store', file },
          { name: '/usr/bin/gh', file },
          { name: null, file },
        ],
      },
    });
    expect(JSON.stringify(answer)).not.toContain('s3cret');
  });

  it('has its answer taken where its code says that a check failed', async () => {
    const checks = [{ passes: false, text: 'git gets no token.' }];
    const script = `${printing({ connections: [{ checks, by_hand: null }] })}\nexit 1`;
    expect(await runnerOf(script).runner.check(id)).toEqual({ ok: true, value: { checks, by_hand: null } });
  });

  it.each([
    [
      'what it said, as one line',
      'echo "git was\tnot" >&2; echo "\u001b[31mfound." >&2; exit 1',
      'git was not [31mfound.',
    ],
    ['that it said nothing', 'exit 1', toolCommandText.noReason],
    ['that it said nothing, of what is no answer', 'echo "{}"', toolCommandText.noReason],
  ])('is refused with %s', async (_what, script, refusal) => {
    expect(await runnerOf(script).runner.connect(wanted)).toEqual({ ok: false, refusal });
  });

  it('is ended with what it has started when its time is over', async () => {
    const { runner, words } = runnerOf('sleep 600 &\necho $$ $! | tr " " "\n" > words\nwait', {
      limitMs: 500,
    });
    expect(await runner.connect(wanted)).toEqual({ ok: false, refusal: toolCommandText.late(1) });
    expect(words()).toHaveLength(2);
    for (const pid of words())
      await expect.poll(() => isRunning(Number(pid)), { timeout: 10_000 }).toBe(false);
  });

  it('is read to a limit only, however much it prints', async () => {
    const { runner } = runnerOf(
      'head -c 20000000 /dev/zero | tr "\\0" x; head -c 20000000 /dev/zero | tr "\\0" y >&2',
    );
    const answer = await runner.connect(wanted);
    expect(answer).toEqual({ ok: false, refusal: 'y'.repeat(1500) });
  });

  it('is not started where it is not there, or the program ends', async () => {
    const gone = new ToolCommandRunner({ dataDir: makeFolder(), program: ['/nowhere/rotavox'], uid: 1000 });
    expect(await gone.check(id)).toEqual({ ok: false, refusal: toolCommandText.notStarted });
    const { runner, dataDir } = runnerOf('touch words');
    runner.end();
    expect(await runner.check(id)).toEqual({ ok: false, refusal: toolCommandText.closing });
    expect(existsSync(join(dataDir, 'words'))).toBe(false);
  });

  it('is given some time when the program ends, and then ended, too', async () => {
    const slow = runnerOf(`: > begun; while [ -e begun ]; do sleep 0.05; done\n${printing(preview)}`);
    const finishing = slow.runner.connect(wanted);
    await expect.poll(() => existsSync(join(slow.dataDir, 'begun'))).toBe(true);
    slow.runner.end();
    rmSync(join(slow.dataDir, 'begun'));
    expect(await finishing).toMatchObject({ ok: true });

    const hung = runnerOf(': > begun; sleep 600', { closingMs: 50 });
    const ended = hung.runner.connect(wanted);
    await expect.poll(() => existsSync(join(hung.dataDir, 'begun'))).toBe(true);
    hung.runner.end();
    expect(await ended).toEqual({ ok: false, refusal: toolCommandText.closing });
  });

  it.each([
    ['linux', 999, ['rotavox'], 'system_account'],
    ['linux', 1000, ['rotavox'], null],
    ['linux', 0, ['rotavox'], null],
    ['darwin', 499, ['rotavox'], 'system_account'],
    ['darwin', 501, ['rotavox'], null],
    ['win32', undefined, ['rotavox'], null],
    ['linux', 1000, null, 'no_command_line'],
  ] as const)('is for the account of a person: %s, %s', (platform, uid, program, obstacle) => {
    expect(new ToolCommandRunner({ dataDir: '/data', platform, uid, program }).obstacle).toBe(obstacle);
  });
});

/** A process that has ended but whose exit code was not read does not run. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'latin1') : '';
  return !/\) Z [^)]*$/.test(stat);
}
