import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countOfRuns,
  readRuns,
  RunCollector,
  seqsOf,
  writeRuns,
} from '../../../src/core/history/seq-runs.ts';

function runsOf(seqs: readonly number[]) {
  const collector = new RunCollector();
  for (const seq of seqs) collector.add(seq);
  return collector.runs;
}

describe('runs of events', () => {
  it.each([
    [10, [10, 9, 8, 5], [0, 3, 2, 1]],
    [10, [7], [3, 1]],
    [3, [3, 2, 1], [0, 3]],
    [3, [], []],
    [0, [], []],
  ])('of %i with %j are written as %j', (lastSeq, seqs, written) => {
    expect(writeRuns(lastSeq, runsOf(seqs))).toEqual(written);
  });

  it('are two numbers for all of 100,000 events', () => {
    const all = Array.from({ length: 100_000 }, (_, place) => 100_000 - place);
    expect(writeRuns(100_000, runsOf(all))).toEqual([0, 100_000]);
  });

  it('come back as they were written, whichever events they are', () => {
    const chosen = fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { maxLength: 300 });
    fc.assert(
      fc.property(chosen, fc.nat(50), (seqs, later) => {
        const sorted = seqs.toSorted((a, b) => b - a);
        const runs = runsOf(sorted);
        const lastSeq = (sorted[0] ?? 0) + later;
        const back = readRuns(lastSeq, writeRuns(lastSeq, runs));
        expect([...seqsOf(back)]).toEqual(sorted);
        expect(countOfRuns(back)).toBe(sorted.length);
        // As few runs as possible: two adjacent ones are joined.
        for (const [place, run] of back.entries())
          expect(run.from - run.count).toBeGreaterThan(back[place + 1]?.from ?? -1);
      }),
    );
  });
});
