/**
 * Everything that a command prints goes through here (enforced by a lint rule), so that no output can control the terminal:
 * names, file names and messages of other services may contain escape sequences.
 *
 * Messages are always plain text. JSON and documents are exact in a pipe or a file, and escaped on a terminal, where JSON
 * keeps its meaning. Only the output of a child of `exec` is printed directly.
 */
import type { OutputConfiguration } from 'commander';
import { Writable } from 'node:stream';
import { outputProblem } from '../text/cli/cli.ts';
import { commandIo } from './command-io.ts';
import { exitCodes, wrongUsage } from './command-failure.ts';
import { asCalledHere } from './own-command.ts';

/** A result, a line on stdout. Whatever is in it stays on that line. */
export function print(line: string): void {
  commandIo().stdout.write(`${plainText(line)}\n`);
}

/** A result for programs: one line of JSON on stdout. */
export function printJson(value: unknown): void {
  const line = JSON.stringify(value);
  commandIo().stdout.write(`${commandIo().stdout.isTTY ? plainText(line) : line}\n`);
}

/** A result that is a file, on stdout, byte by byte; on a terminal as a text (see `refuseTerminal` for others). */
export function printDocument(document: string | Uint8Array): void {
  if (!commandIo().stdout.isTTY) commandIo().stdout.write(document);
  else commandIo().stdout.write(plainDocument(typeof document === 'string' ? document : textOf(document)));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Throws wrong usage where stdout is a terminal, for what is no text. */
export function refuseTerminal(what: string): void {
  if (commandIo().stdout.isTTY) throw wrongUsage(outputProblem.terminal(what));
}

/** Messages for a person, a line each on stderr, separate from results. Commands in them are shown as they are called here. */
export function say(...lines: string[]): void {
  for (const line of lines) commandIo().stderr.write(`${plainText(asCalledHere(line))}\n`);
}

/** A line on stderr, only if that is a terminal. */
export function remark(line: string): void {
  if (commandIo().stderr.isTTY) say(line);
}

/** A question on stderr, which is answered on the same line. */
export function ask(question: string): void {
  commandIo().stderr.write(plainText(question));
}

/** Stderr for a log of several lines: exact in a pipe or a file, escaped on a terminal. */
export const plainStderr = new Writable({
  decodeStrings: false,
  write(chunk: string | Buffer, _encoding, done) {
    commandIo().stderr.write(commandIo().stderr.isTTY ? plainDocument(chunk.toString()) : chunk, done);
  },
});

/** How commander prints help and errors, which may quote what was typed. */
export const commanderOutput: OutputConfiguration = {
  writeOut: (text) => commandIo().stdout.write(plainDocument(asCalledHere(text))),
  writeErr: (text) => commandIo().stderr.write(plainDocument(text)),
};

/**
 * Ignores that the reader of our output was closed (`| head`, a closed terminal).
 *
 * A command that prints and ends continues; one that keeps running listens with `onReaderClosed`. Output that is lost for
 * another reason, such as a full disk, is reported, and the exit code is then not 0.
 */
export function ignoreClosedPipes(): void {
  let isLost = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE' || isLost) return;
      isLost = true;
      if (stream === process.stdout) say(outputProblem.incomplete(code));
      process.once('exit', (exitCode) => {
        if (exitCode === exitCodes.done) process.exitCode = exitCodes.failed;
      });
    });
  }
}

/** Calls back when stdout can no longer be written. */
export function onReaderClosed(act: () => void): void {
  commandIo().stdout.once('error', act);
}

/** When everything printed so far was written, or the streams are closed. */
export async function flushOutput(): Promise<void> {
  await Promise.all([commandIo().stdout, commandIo().stderr].map(flush));
}

function flush(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });
}

/**
 * Characters that control a terminal or mislead a reader: control characters (C0, DEL, C1), marks that change the direction
 * of a text, and the line breaks of Unicode.
 */
const unprintable = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Escapes a text for a terminal, on one line.
 *
 * Names, reasons and user agents come from callers of the service: an escape sequence in one of them must not move
 * the cursor, hide a line or set a title. Characters are escaped as in JSON.
 */
export function plainText(text: string): string {
  return plainDocument(text.replace(isolatedName, '$1').replace(/[\n\t]/g, ' '));
}

/** What our sentences put around a name for windows; a terminal prints names as they are stored. */
const isolatedName = /\u2068([^\u2066-\u2069]*)\u2069/gu;

/** Escapes a text of several lines, which keeps its line breaks and tabs. */
export function plainDocument(text: string): string {
  return text.replace(unprintable, (character, place: number) => {
    if (character === '\n' || character === '\t') return character;
    if (character === '\r' && text[place + 1] === '\n') return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
