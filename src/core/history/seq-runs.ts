/** Consecutive events: `from` is the newest, and `count` events go down from there. */
export interface SeqRun {
  readonly from: number;
  readonly count: number;
}

/** Collects events, newest first, as runs. */
export class RunCollector {
  readonly #runs: { readonly from: number; count: number }[] = [];
  #count = 0;

  /** The total number of events. */
  get count(): number {
    return this.#count;
  }

  get runs(): readonly SeqRun[] {
    return this.#runs;
  }

  add(seq: number): void {
    const last = this.#runs.at(-1);
    if (last !== undefined && last.from - last.count === seq) last.count += 1;
    else this.#runs.push({ from: seq, count: 1 });
    this.#count += 1;
  }
}

/** The number of events in some runs. */
export function countOfRuns(runs: readonly SeqRun[]): number {
  return runs.reduce((sum, { count }) => sum + count, 0);
}

/** The `seq` of every event in some runs. */
export function* seqsOf(runs: Iterable<SeqRun>): Generator<number> {
  for (const { from, count } of runs) for (let seq = from; seq > from - count; seq -= 1) yield seq;
}

/** Runs in the format of `HistoryMatches`: alternately how many to skip and how many to take, down from `lastSeq`. */
export function writeRuns(lastSeq: number, runs: readonly SeqRun[]): number[] {
  const written: number[] = [];
  let next = lastSeq;
  for (const { from, count } of runs) {
    written.push(next - from, count);
    next = from - count;
  }
  return written;
}

export function readRuns(lastSeq: number, written: readonly number[]): SeqRun[] {
  const runs: SeqRun[] = [];
  let next = lastSeq;
  for (let place = 0; place + 1 < written.length; place += 2) {
    const from = next - (written[place] ?? 0);
    const count = written[place + 1] ?? 0;
    runs.push({ from, count });
    next = from - count;
  }
  return runs;
}
