import { appendFileSync } from 'node:fs';

/** What a step came to. `notes` say what a reader has to know beyond the numbers: what could not run, and why. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly notes: readonly string[];
}

export const passedOnce: Outcome = { passed: 1, failed: 0, skipped: 0, notes: [] };

/** Something that failed as a whole, or could not run, counts as one failed test. */
export function failedOnce(...notes: string[]): Outcome {
  return { passed: 0, failed: 1, skipped: 0, notes };
}

/** Something that could not run where that is no failure. */
export function skippedOnce(...notes: string[]): Outcome {
  return { passed: 0, failed: 0, skipped: 1, notes };
}

export function addOutcomes(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
    skipped: outcomes.reduce((sum, { skipped }) => sum + skipped, 0),
    notes: outcomes.flatMap(({ notes }) => notes),
  };
}

/** The words of the test command's last line. */
export function tally({ passed, failed, skipped }: Outcome): string {
  return `${String(passed)} passed, ${String(failed)} failed, ${String(skipped)} skipped`;
}

type TestState = 'passed' | 'failed' | 'skipped';

type ProgressLine =
  | { readonly begun: string }
  | { readonly ended: string; readonly state?: TestState; readonly note?: string }
  | { readonly outcome: Outcome };

/** The names are those of files, tests and hooks: a part begins with the name of its whole and ` › `. */
export class ProgressFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  begin(name: string): void {
    this.#write({ begun: name });
  }

  /** With a state for a test; `note` is what its reader has to know. */
  end(name: string, state?: TestState, note?: string): void {
    this.#write({ ended: name, ...(state && { state }), ...(note !== undefined && { note }) });
  }

  finish(outcome: Outcome): void {
    this.#write({ outcome });
  }

  #write(line: ProgressLine): void {
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`);
  }
}

/** How many names are listed of what had begun. */
const listed = 12;

/** What a run came to, by the text of its file; `reason` says why it ended, where it did not end by itself. */
export function readProgress(text: string, reason: string): Outcome {
  // Without the last piece: a line that was being written, or nothing.
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ProgressLine);
  const last = lines.at(-1);
  if (last !== undefined && 'outcome' in last) return last.outcome;

  const open = new Set<string>();
  const ended = { passed: 0, failed: 0, skipped: 0 };
  const notes: string[] = [];
  for (const line of lines) {
    if ('begun' in line) open.add(line.begun);
    if (!('ended' in line)) continue;
    open.delete(line.ended);
    if (line.state !== undefined) ended[line.state] += 1;
    if (line.note !== undefined) notes.push(line.note);
  }
  const end = `could not run to its end: ${reason === '' ? 'it left no report' : reason}`;
  return addOutcomes([{ ...ended, notes }, failedOnce([end, ...waitedFor([...open])].join('\n'))]);
}

/** What had begun and not ended; of a file whose test had not ended, the test. */
function waitedFor(open: readonly string[]): string[] {
  const names = open.filter((name) => !open.some((other) => other.startsWith(`${name} › `)));
  if (names.length === 0) return [];
  const more = names.length - listed;
  return [
    '    it waited for:',
    ...names.slice(0, listed).map((name) => `    ${name}`),
    ...(more > 0 ? [`    and ${String(more)} more`] : []),
  ];
}
