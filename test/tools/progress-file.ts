/**
 * What a run of tests writes down as it goes: a line when something begins or ends, and at its end what it came to.
 *
 * A run that is killed, because its time is over, so still says what had passed and what it was waiting for. The reporters
 * of vitest and of Playwright write it, and the test command reads it.
 */
import { appendFileSync } from 'node:fs';
import { addOutcomes, failedOnce } from './outcome.ts';
import type { Outcome } from './outcome.ts';

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
