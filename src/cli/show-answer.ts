import { CommandFailure, exitCodes } from './command-failure.ts';
import { formatTable } from './format-table.ts';
import { print, printJson, say } from './terminal.ts';

/** A message, several, or some of several. */
type Messages = string | readonly (string | null | undefined)[];

/** How an answer of the service is shown. */
export interface ShownAnswer<I, P, R> {
  /** What `--json` prints. Default: the reply. */
  readonly asJson?: (reply: R, input: I) => unknown;
  /** The reply as a table on stdout. */
  readonly rows?: (reply: R, input: I) => readonly (readonly string[])[];
  readonly head?: readonly string[];
  /** The message instead of a table without rows. */
  readonly none?: string | ((input: I) => string);
  /** The reply as lines on stdout. */
  readonly lines?: (reply: R, input: I) => readonly string[];
  /** Messages after the result. */
  readonly words?: (reply: R, input: I, prepared: P) => Messages;
  /** Messages that are printed also beside JSON. */
  readonly notes?: (reply: R) => Messages;
  /** Why it is no success although the service has answered: the message instead of `words`. The exit code is 1. */
  readonly failure?: (reply: R, input: I) => readonly string[] | null;
}

/** Prints an answer. All of it is made before anything is printed. */
export function showAnswer<I extends { readonly json: boolean }, P, R>(
  answer: ShownAnswer<I, P, R>,
  reply: R,
  input: I,
  prepared: P,
): void {
  const rows = input.json ? [] : (answer.rows?.(reply, input) ?? []);
  const lines = input.json ? [] : (answer.lines?.(reply, input) ?? []);
  const notes = messagesIn(answer.notes?.(reply));
  const failure = answer.failure?.(reply, input) ?? null;
  const words = input.json || failure !== null ? [] : messagesIn(answer.words?.(reply, input, prepared));
  if (input.json) printJson(answer.asJson === undefined ? reply : answer.asJson(reply, input));
  else {
    if (rows.length > 0 || answer.none === undefined)
      for (const line of formatTable(rows, answer.head)) print(line);
    else say(typeof answer.none === 'string' ? answer.none : answer.none(input));
    for (const line of lines) print(line);
  }
  say(...notes);
  if (failure !== null) throw new CommandFailure(exitCodes.failed, failure);
  say(...words);
}

function messagesIn(messages: Messages = []): string[] {
  return [messages].flat().filter((message) => typeof message === 'string');
}
