import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../tools/root.ts';
import { exceptions, faults, faultyFile, plantedPaths, plantFaults, soundFile } from './planted-faults.ts';

interface Report {
  readonly diagnostics: readonly {
    readonly code?: string;
    readonly filename: string;
    readonly message: string;
    readonly severity: string;
  }[];
}

describe('the lint', () => {
  let folder: string;
  let report: Report;
  let exitCode: number | null;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rotavox-lint-'));
    await plantFaults(folder);
    const oxlint = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
    const { status, stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json', ...plantedPaths], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
    });
    exitCode = status;
    report = JSON.parse(stdout) as Report;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const foundIn = (file: string) =>
    report.diagnostics
      .filter(({ filename }) => filename.replaceAll('\\', '/') === file)
      .map(({ code, message }) => code ?? message);

  it.each(faults)('finds $name', (fault) => {
    expect(foundIn(faultyFile(fault))).toContain(fault.rule);
  });

  it.each(faults)('finds nothing where there is not $name', (fault) => {
    expect(foundIn(soundFile(fault))).toEqual([]);
  });

  it.each(exceptions)('lets $name be', (exception) => {
    expect(foundIn(soundFile(exception))).toEqual([]);
  });

  it('fails for what it finds, all of which are errors', () => {
    expect(report.diagnostics.filter(({ severity }) => severity !== 'error')).toEqual([]);
    expect(exitCode).toBe(1);
  });
});
