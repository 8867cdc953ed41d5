import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { builtFile, ensureBuilt } from '../../../src/launcher/ensure-built.ts';
import { GitServer } from '../../tools/git-server.ts';
import { type Bench, type Goal, judgeRatio, printTable } from '../bench.ts';
import { startServerProcess } from '../child-process.ts';
import { spreadOf } from '../paired-rounds.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';

const cli = builtFile('cli/index.js');

/**
 * Scripts call `rotavox get` again and again, and git asks at each fetch: whole processes with all that they start, in turns with the same
 * Node that does nothing. The time of the processor decides; what a person waits stands beside it.
 */
export const commandLine: Bench = {
  name: 'command-line',
  title: 'rotavox get, --version, and what git asks, whole processes',
  async run({ quick }) {
    await ensureBuilt({ tell: console.error });
    const scratch = createScratchFolder('command-line');
    const git = await GitServer.start(() => true);
    try {
      return await measure(scratch, git, quick ? 11 : 41);
    } finally {
      await git.stop();
      removeScratchFolder(scratch);
    }
  },
};

interface Command {
  readonly args: readonly string[];
  readonly input?: string;
}

/** Goals by ratio to `node -e 0`, of processor time. */
const goals: Readonly<Record<string, number>> = {
  'rotavox --version': 1.5,
  'rotavox get': 2,
  'rotavox status': 2.5,
  'rotavox credential list': 2.5,
  'git asks store': 0.1,
  'git ls-remote': 3.3,
};

async function measure(scratch: string, git: GitServer, turns: number): Promise<Goal[]> {
  const home = join(scratch, 'home');
  mkdirSync(home);
  const dataDir = join(scratch, 'data');
  const passphraseFile = join(scratch, 'passphrase');
  writeFileSync(passphraseFile, 'correct horse battery staple\n', { mode: 0o600 });
  const service = await startServerProcess({
    args: [
      ...[cli, 'serve', '--port', '0', '--json', '--data-dir', dataDir],
      ...['--vault', 'file', '--vault-passphrase-file', passphraseFile],
    ],
  });
  const run = (command: Command) => timeRun(command, home);
  const rotavox = (...args: string[]) =>
    run({ args: [process.execPath, cli, ...args, '--data-dir', dataDir] });
  try {
    await rotavox('token', 'issue', '--name', 'app', '--validity', '7', '--keep-as', 'app');
    const { stdout } = await rotavox(
      ...['connect', 'git', 'app', '--url', git.origin, '--username', 'oauth2', '--json'],
    );
    const { connection } = JSON.parse(stdout) as { connection: { id: string } };
    const launcher = join(dataDir, 'tools', connection.id);
    const input = `protocol=http\nhost=${new URL(git.origin).host}\n\n`;
    const commands: Readonly<Record<string, Command>> = {
      'node -e 0': { args: [process.execPath, '-e', '0'] },
      'rotavox --version': { args: [process.execPath, cli, '--version'] },
      'rotavox get': { args: [process.execPath, cli, 'get', 'app', '--data-dir', dataDir] },
      'rotavox status': { args: [process.execPath, cli, 'status', '--data-dir', dataDir] },
      'rotavox credential list': {
        args: [process.execPath, cli, 'credential', 'list', '--data-dir', dataDir],
      },
      'git asks get': { args: [launcher, 'get'], input },
      'git asks store': { args: [launcher, 'store'], input },
      'git ls-remote': { args: ['git', 'ls-remote', git.repository] },
    };
    const runs = Object.entries(commands).map(([name, command]) => ({
      name,
      command,
      times: [] as { ms: number; cpuMs: number }[],
    }));
    for (let turn = 0; turn < turns; turn += 1)
      for (const one of runs) one.times.push(await run(one.command));
    const ratioTo = (other: string, { times }: (typeof runs)[number]) => {
      const paired = runs.find(({ name }) => name === other)?.times ?? [];
      return spreadOf(times.map(({ cpuMs }, turn) => cpuMs / (paired[turn]?.cpuMs ?? NaN)));
    };
    printTable(
      ['milliseconds', 'processor', 'min', 'max', 'ratio', 'wall'],
      runs.map((one) => {
        const { median, min, max } = spreadOf(one.times.map(({ cpuMs }) => cpuMs));
        const wall = spreadOf(one.times.map(({ ms }) => ms)).median;
        const figures = [median, min, max].map((value) => value.toFixed(0));
        return [one.name, ...figures, `${ratioTo('node -e 0', one).median.toFixed(2)}x`, wall.toFixed(0)];
      }),
    );
    const asked = runs.find(({ name }) => name === 'git asks get');
    return [
      ...runs
        .filter(({ name }) => name in goals)
        .map((one) =>
          judgeRatio(`${one.name} / node -e 0`, ratioTo('node -e 0', one), {
            atMost: goals[one.name] ?? NaN,
          }),
        ),
      ...(asked === undefined
        ? []
        : [judgeRatio('git asks get / rotavox get', ratioTo('rotavox get', asked), { atMost: 1.1 })]),
    ];
  } finally {
    await service.close();
  }
}

/**
 * The time of a process from its start to its end, and of the processor for it and all that it started, in milliseconds. Throws if it
 * fails.
 */
async function timeRun(
  { args, input = '' }: Command,
  home: string,
): Promise<{ readonly ms: number; readonly cpuMs: number; readonly stdout: string }> {
  const startedAt = performance.now();
  const child = spawn('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@"', 'bash', ...args], {
    env: { PATH: `/usr/bin${delimiter}/bin`, HOME: home, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined); // it ended before it had read all
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const ms = performance.now() - startedAt;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${stderr}`);
  const [user = NaN, system = NaN] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return { ms, cpuMs: (user + system) * 1000, stdout };
}
