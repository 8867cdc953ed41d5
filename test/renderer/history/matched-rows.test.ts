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

  const draft = 'draft_a';
  const saved = (lastSeq: number, seqs: readonly number[], groups: readonly [number, number][]) => {
    const collector = new RunCollector();
    for (const seq of seqs) collector.add(seq);
    return MatchedRows.of(
      {},
      {
        last_seq: lastSeq,
        count: seqs.length,
        runs: writeRuns(lastSeq, collector.runs),
        saves: groups.map(([seq, count]) => ({ seq, count, subject: draft })),
      },
    );
  };

  it('are one for several saves of a draft, and one each when they are shown', () => {
    const rows = saved(
      12,
      [12, 11, 10, 8, 7, 3, 2],
      [
        [11, 4],
        [2, 1],
      ],
    );
    expect(seqsOf(rows)).toEqual([12, 11, 3, 2]);
    expect([rows.events, rows.count]).toEqual([7, 4]);
    expect(rows.savesAt(11)).toEqual({ count: 4, oldest: 7, isOpen: false });
    expect([rows.savesAt(12), rows.savesAt(2)]).toEqual([undefined, undefined]);
    const open = rows.withOpen(new Set([7]));
    expect(seqsOf(open)).toEqual([12, 11, 10, 8, 7, 3, 2]);
    expect(open.savesAt(11)?.isOpen).toBe(true);
  });

  it('stay one when the draft is saved again, and shown when they were', () => {
    const before = saved(5, [5, 4, 1], [[5, 2]]);
    const after = before.withNewer(saved(7, [7, 6], [[7, 2]]));
    expect(seqsOf(after)).toEqual([7, 1]);
    expect(after.savesAt(7)).toEqual({ count: 4, oldest: 4, isOpen: false });
    const other = before.withNewer(saved(8, [8, 7, 6], [[8, 2]]));
    expect(seqsOf(other)).toEqual([8, 6, 5, 1]);
    expect(seqsOf(before.withOpen(new Set([4])).withNewer(saved(6, [6], [[6, 1]])))).toEqual([6, 5, 4, 1]);
  });

  it('may be none', () => {
    const rows = rowsOf(5, []);
    expect(rows.count).toBe(0);
    expect(rows.rowOf(3)).toBeUndefined();
    expect(seqsOf(rows.withNewer(rowsOf(6, [6])))).toEqual([6]);
  });
});
