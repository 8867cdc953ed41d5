import { cruise } from 'dependency-cruiser';
import type { ICruiseResult } from 'dependency-cruiser';
import { floorRules } from './layer-rules.ts';

export interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: string;
}

export interface Inspection {
  /** Every file that was read, relative to the root. */
  readonly files: readonly string[];
  readonly violations: readonly Violation[];
}

/**
 * Reads the imports of `<root>/src` and holds them against the layers.
 *
 * Imports of types count too: a type is a promise as much as a function is.
 */
export async function findViolations(root: string): Promise<Inspection> {
  const { output } = await cruise(['src'], {
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: floorRules() },
    tsPreCompilationDeps: true,
    // Without this, a stale answer of an earlier cruise in the same process could be given.
    cache: false,
    doNotFollow: { path: 'node_modules' },
  });
  if (typeof output === 'string') throw new Error(`dependency-cruiser answered with text: ${output}`);
  return {
    files: filesRead(output),
    violations: output.summary.violations.map(({ from, to, rule }) => ({ from, to, rule: rule.name })),
  };
}

function filesRead({ modules }: ICruiseResult): string[] {
  return modules.map((module) => module.source).filter((source) => source.startsWith('src/'));
}
