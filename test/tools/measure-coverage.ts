/**
 * `npm run coverage`: how much of core, store, service and agent their own tests run, by line and by branch. It prints a
 * table of files and a sum of each module.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { startDesktop } from './desktop-session.ts';
import { root } from './root.ts';
import { runCommand } from './run-command.ts';
import { beginRun } from './scratch-run.ts';

type Counts = Readonly<Record<'lines' | 'branches', { readonly total: number; readonly covered: number }>>;

const modules = ['core', 'store', 'service', 'agent'];
const run = beginRun();
const scratch = run.folder;
const desktop = await startDesktop(scratch);
try {
  const ended = await runCommand({
    env: desktop.env,
    argv: [
      ...(['vitest', 'run', '--reporter=dot', '--coverage.enabled', '--coverage.provider=v8'] as const),
      ...modules.flatMap((module) => ['--project', module, `--coverage.include=src/${module}/**`]),
      ...[
        '--coverage.reporter=text',
        '--coverage.reporter=json-summary',
        `--coverage.reportsDirectory=${scratch}/report`,
      ],
    ],
    timeoutMs: 30 * 60_000,
  });
  if (ended.ok) {
    const text = readFileSync(join(scratch, 'report/coverage-summary.json'), 'utf8');
    const files = Object.entries(JSON.parse(text) as Record<string, Counts>);
    for (const module of modules) {
      const own = files.filter(([file]) => relative(root, file).startsWith(join('src', module)));
      const shareOf = (kind: keyof Counts): string => {
        const sum = (of: 'covered' | 'total') =>
          own.reduce((total, [, counts]) => total + counts[kind][of], 0);
        return `${((100 * sum('covered')) / sum('total')).toFixed(2)} % of ${sum('total')} ${kind}`;
      };
      console.log(`${module.padEnd(8)} ${shareOf('lines')}, ${shareOf('branches')}`);
    }
  } else {
    process.exitCode = 1;
  }
} finally {
  await desktop.close();
  await run.end();
}
