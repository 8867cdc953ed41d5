import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtFile, ensureBuilt } from '../../../src/launcher/ensure-built.ts';
import { type Bench, type Goal, judgeRatio, printTable } from '../bench.ts';
import { startServerProcess } from '../child-process.ts';
import { spreadOf } from '../paired-rounds.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';

const cli = builtFile('cli/index.js');

/** Scripts call `rotavox get` again and again: whole processes, in turns with the same Node that does nothing. */
export const commandLine: Bench = {
  name: 'command-line',
  title: 'rotavox get and --version, whole processes',
  async run({ quick }) {
    await ensureBuilt({ tell: console.error });
    const scratch = createScratchFolder('command-line');
    try {
      return await measure(scratch, quick ? 11 : 41);
    } finally {
      removeScratchFolder(scratch);
    }
  },
};

async function measure(scratch: string, turns: number): Promise<Goal[]> {
  const dataDir = join(scratch, 'data');
  const passphraseFile = join(scratch, 'passphrase');
  writeFileSync(passphraseFile, 'correct horse battery staple\n', { mode: 0o600 });
  const service = await startServerProcess({
    args: [
      ...[cli, 'serve', '--port', '0', '--json', '--data-dir', dataDir],
      ...['--vault', 'file', '--vault-passphrase-file', passphraseFile],
    ],
  });
  try {
    const issue = ['token', 'issue', '--name', 'app', '--validity', '7', '--keep-as', 'app'];
    timeRun([cli, ...issue, '--data-dir', dataDir]);
    const commands = {
      'node -e 0': ['-e', '0'],
      'rotavox --version': [cli, '--version'],
      'rotavox get': [cli, 'get', 'app', '--data-dir', dataDir],
      'rotavox status': [cli, 'status', '--data-dir', dataDir],
    };
    const runs = Object.entries(commands).map(([name, args]) => ({ name, args, ms: [] as number[] }));
    for (let turn = 0; turn < turns; turn += 1) for (const run of runs) run.ms.push(timeRun(run.args));
    const empty = runs[0]?.ms ?? [];
    const ratios = runs.map(({ name, ms }) => ({
      name,
      ratio: spreadOf(ms.map((one, turn) => one / (empty[turn] ?? NaN))),
    }));
    printTable(
      ['milliseconds', 'median', 'min', 'max', 'ratio'],
      runs.map(({ name, ms }, index) => {
        const { median, min, max } = spreadOf(ms);
        const ratio = ratios[index]?.ratio.median ?? NaN;
        return [name, ...[median, min, max].map((value) => value.toFixed(0)), `${ratio.toFixed(2)}x`];
      }),
    );
    const goals: Readonly<Record<string, number>> = { 'rotavox --version': 2, 'rotavox get': 2.5 };
    return ratios
      .filter(({ name }) => name in goals)
      .map(({ name, ratio }) => judgeRatio(`${name} / node -e 0`, ratio, { atMost: goals[name] ?? NaN }));
  } finally {
    await service.close();
  }
}

/** The time of a process from its start to its end, in milliseconds. Throws if it fails. */
function timeRun(args: readonly string[]): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ms = performance.now() - startedAt;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${String(status)}: ${stderr.toString()}`);
  return ms;
}
