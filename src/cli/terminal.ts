/**
 * Everything that a command prints goes through here (a lint rule keeps to it), so that nothing in it can move a terminal:
 * most of it was chosen by somebody else, also file names, messages of other services and what is in a file.
 *
 * Lines for a person are plain everywhere. JSON and documents are exact in a pipe or a file, and plain on a terminal; JSON
 * keeps its meaning there. Only the child of `exec` prints past this: its output is its own.
 */
import type { OutputConfiguration } from 'commander';
import { Writable } from 'node:stream';
import { commandIo } from './command-io.ts';
import { exitCodes, wrongUsage } from './command-failure.ts';

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
  if (commandIo().stdout.isTTY)
    throw wrongUsage(`${what} is not printed on a terminal. Send it to a file or a program: add > FILE.`);
}

/** Words for a person, a line each on stderr: they never get into a pipe. */
export function say(...lines: string[]): void {
  for (const line of lines) commandIo().stderr.write(`${plainText(line)}\n`);
}

/** A line on stderr for a person at a terminal, and for nobody else. */
export function remark(line: string): void {
  if (commandIo().stderr.isTTY) say(line);
}

/** A question on stderr, which is answered on the same line. */
export function ask(question: string): void {
  commandIo().stderr.write(plainText(question));
}

/** Stderr for a log, which has lines of its own: exact in a pipe or a file, plain on a terminal. */
export const plainStderr = new Writable({
  decodeStrings: false,
  write(chunk: string | Buffer, _encoding, done) {
    commandIo().stderr.write(commandIo().stderr.isTTY ? plainDocument(chunk.toString()) : chunk, done);
  },
});

/** How commander prints help and errors, which quote what was typed: a file name perhaps. */
export const commanderOutput: OutputConfiguration = {
  writeOut: (text) => commandIo().stdout.write(plainDocument(text)),
  writeErr: (text) => commandIo().stderr.write(plainDocument(text)),
};

/**
 * Takes it quietly when the reader of our output has gone (`| head`, a terminal that was closed).
 *
 * A command that prints and ends goes on to its end; one that runs on listens with `onReaderGone`. Output that is lost for
 * another reason, such as a full disk, is said, and the command does not end as if all were well.
 */
export function bearClosedPipes(): void {
  let isLost = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE' || isLost) return;
      isLost = true;
      if (stream === process.stdout)
        say(`Not everything could be printed (${code}): stdout is not complete.`);
      process.once('exit', (exitCode) => {
        if (exitCode === exitCodes.done) process.exitCode = exitCodes.failed;
      });
    });
  }
}

/** Tells when nobody reads stdout any more. */
export function onReaderGone(act: () => void): void {
  process.stdout.once('error', act);
}

/** When everything printed so far has left this process, or nobody takes it any more. */
export async function flushOutput(): Promise<void> {
  await Promise.all([process.stdout, process.stderr].map(flush));
}

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });
}

/**
 * What moves a terminal or misleads who reads it: control characters (C0, DEL, C1), the marks that turn the direction of a
 * text, and the line breaks of Unicode.
 */
const unprintable = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * A text as a terminal may show it, on one line; `terminal.ts` puts everything through it that a command prints.
 *
 * Names, reasons and user agents come from whoever calls the service: an escape sequence in one of them must not move
 * the cursor, hide a line or set a title. What JSON leaves as it is in its texts, this escapes as JSON does.
 */
export function plainText(text: string): string {
  return plainDocument(text.replace(/[\n\t]/g, ' '));
}

/** The same for a text of several lines, which keeps its line breaks and tabs. */
export function plainDocument(text: string): string {
  return text.replace(unprintable, (character, place: number) => {
    if (character === '\n' || character === '\t') return character;
    if (character === '\r' && text[place + 1] === '\n') return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
