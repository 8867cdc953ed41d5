import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RunCollector, writeRuns } from '../../../src/core/history/seq-runs.ts';
import { MatchedRows } from '../../../src/renderer/history/matched-rows.ts';

function rowsOf(lastSeq: number, seqs: readonly number[], filters = {}): MatchedRows {
  const collector = new RunCollector();
  for (const seq of seqs) collector.add(seq);
  return MatchedRows.of(filters, {
    last_seq: lastSeq,
    count: seqs.length,
    runs: writeRuns(lastSeq, collector.runs),
  });
}

function seqsOf(rows: MatchedRows): number[] {
  return Array.from({ length: rows.count }, (_, row) => rows.seqAt(row));
}

const descending = fc
  .uniqueArray(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 200 })
  .map((seqs) => seqs.sort((a, b) => b - a));

describe('the rows of a search', () => {
  it('lead to their events and back, whichever events they are', () => {
    fc.assert(
      fc.property(descending, (seqs) => {
        const rows = rowsOf(200, seqs);
        expect(rows.count).toBe(seqs.length);
        expect(seqsOf(rows)).toEqual(seqs);
        for (let seq = 1; seq <= 200; seq += 1) {
          const row = seqs.indexOf(seq);
          expect(rows.rowOf(seq)).toBe(row === -1 ? undefined : row);
        }
      }),
    );
  });

  it('go on with what is newer, as if all had been asked for at once', () => {
    fc.assert(
      fc.property(descending, fc.integer({ min: 0, max: 200 }), (seqs, then) => {
        const before = rowsOf(
          then,
          seqs.filter((seq) => seq <= then),
          { text: 'a' },
        );
        const newer = rowsOf(
          200,
          seqs.filter((seq) => seq > then),
        );
        const both = before.withNewer(newer);
        expect(seqsOf(both)).toEqual(seqs);
        expect(both.lastSeq).toBe(200);
        expect(both.filters).toBe(before.filters);
      }),
    );
  });

  it('may be none', () => {
    const rows = rowsOf(5, []);
    expect(rows.count).toBe(0);
    expect(rows.rowOf(3)).toBeUndefined();
    expect(seqsOf(rows.withNewer(rowsOf(6, [6])))).toEqual([6]);
  });
});
