/**
 * `npm run coverage`: how much of core, store, service and agent their own tests run, by line and by branch. It prints a
 * table of files and a sum of each module.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { onDesktop } from './desktop-session.ts';
import { root } from './root.ts';
import { endWithUs, runCommand } from './run-command.ts';

type Counts = Readonly<Record<'lines' | 'branches', { readonly total: number; readonly covered: number }>>;

const modules = ['core', 'store', 'service', 'agent'];
const scratch = mkdtempSync(join(tmpdir(), 'rotavox-coverage-'));
const tidyUp = (): void => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
endWithUs(tidyUp);
try {
  const command = await onDesktop(
    {
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
    },
    scratch,
  );
  if ((await runCommand(command)).ok) {
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
  tidyUp();
}
