import { describe, expect, it } from 'vitest';
import { failedOnce, passedOnce } from '../tools/outcome.ts';
import { type Done, runSteps } from '../tools/run-steps.ts';
import type { Step } from '../tools/steps.ts';
import type { Need } from '../tools/suites.ts';

interface Setup {
  readonly lacks?: readonly (readonly [Need, string])[];
  readonly isStrict?: boolean;
}

/** Begins steps; those without a `run` of their own pass when they are told to. */
function begin(steps: readonly Partial<Step>[], { lacks = [], isStrict = true }: Setup = {}) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const told: string[] = [];
  const whole = steps.map((step, place): Step => {
    const name = step.name ?? `step ${place}`;
    return {
      name,
      isLong: false,
      needs: [],
      after: [],
      alone: false,
      background: false,
      ...step,
      run: (options) => {
        begun.push(name);
        const passes = new Promise<void>((resolve) => ends.set(name, resolve));
        return step.run?.(options) ?? passes.then(() => ({ outcome: passedOnce, cpuMs: null }));
      },
    };
  });
  const all = runSteps(whole, {
    lacks: new Map(lacks),
    isStrict,
    options: { scratch: '', desktop: {} },
    say: () => undefined,
    tell: ({ name }) => told.push(name),
  });
  return { all, begun, told, end: (name: string) => ends.get(name)?.() };
}

const fails = async () => ({ outcome: failedOnce('it failed'), cpuMs: null });
const tallies = (done: readonly Done[]) =>
  done.map(({ name, outcome }) => [name, outcome.passed, outcome.failed, outcome.skipped]);

describe('the steps of the test command', () => {
  it('run two at a time, one more in the background, and one alone after all before it', async () => {
    const { all, begun, end } = begin([
      { name: 'lint', background: true },
      { name: 'a' },
      { name: 'b' },
      { name: 'c' },
      { name: 'last', alone: true },
    ]);
    expect(begun).toEqual(['a', 'b', 'lint']);
    end('a');
    await expect.poll(() => begun).toEqual(['a', 'b', 'lint', 'c']);
    end('b');
    end('c');
    await expect.poll(() => begun).toEqual(['a', 'b', 'lint', 'c', 'last']);
    end('last');
    end('lint');
    expect(tallies(await all).map(([name]) => name)).toEqual(['lint', 'a', 'b', 'c', 'last']);
  });

  it('end when what they need has failed, each with the reason, and those after them run', async () => {
    const { all, begun, told, end } = begin([
      { name: 'build', run: fails },
      { name: 'cli', after: ['build'] },
      { name: 'chaos', after: ['build'] },
      { name: 'core' },
    ]);
    await expect.poll(() => begun).toContain('core');
    end('core');
    const done = await all;
    expect(tallies(done)).toEqual([
      ['build', 0, 1, 0],
      ['cli', 0, 1, 0],
      ['chaos', 0, 1, 0],
      ['core', 1, 0, 0],
    ]);
    expect(done[1]?.outcome.notes).toEqual(['could not run: build failed']);
    expect(told.toSorted()).toEqual(['build', 'chaos', 'cli', 'core']);
  });

  it.each([
    [true, 1, 0],
    [false, 0, 1],
  ])('say what this machine lacks for them; strict: %s', async (isStrict, failed, skipped) => {
    const lacks = [['postgres', 'run: apt-get install postgresql']] as const;
    const { all } = begin([{ name: 'team', needs: ['postgres'] }], { lacks, isStrict });
    expect((await all)[0]?.outcome).toEqual({
      passed: 0,
      failed,
      skipped,
      notes: ['could not run: run: apt-get install postgresql'],
    });
  });

  it('fail when they cannot be started', async () => {
    const run = () => Promise.reject(new Error('no such program'));
    expect(tallies(await begin([{ name: 'a', run }]).all)).toEqual([['a', 0, 1, 0]]);
  });
});
