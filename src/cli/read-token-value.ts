import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { TokenValue } from '../contract/credential.ts';
import { commandIo } from './command-io.ts';
import { wrongUsage } from './command-failure.ts';
import { endAs } from './end-as.ts';
import { ask, say } from './terminal.ts';

/**
 * A token's value for a credential: asked for on a terminal without an echo, else all that comes on stdin.
 *
 * Never an argument, which other programs could read. Throws wrong usage for what cannot be a token, without showing it.
 */
export async function readTokenValue(name: string): Promise<string> {
  const text = canAsk()
    ? await askSecret(`Token value for ${name} (not shown while you type or paste it): `)
    : await readStdinValue();
  if (text.trim() === '') {
    throw wrongUsage(
      `There was no value for ${name}. Pipe it in, or paste it when asked; a value is never an argument.`,
    );
  }
  const value = TokenValue.safeParse(text);
  if (value.success) return value.data;
  throw wrongUsage(`The value ${value.error.issues[0]?.message ?? 'cannot be a token'}.`);
}

/** The longest value that the contract takes, with some room for white space around it. */
const limitBytes = 8 * 1024;

/**
 * A value that is piped in: all of stdin, without one line break at its end.
 *
 * Throws wrong usage for more than 8 KB, which is some other file.
 */
async function readStdinValue(stdin: Readable = commandIo().stdin): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > limitBytes) throw wrongUsage('More than 8 KB came on stdin, which cannot be a value.');
  }
  return Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, '');
}

/** Whether there is a terminal to ask on. */
export function canAsk(): boolean {
  return commandIo().stdin.isTTY === true;
}

/**
 * Asks for a secret on the terminal, on stderr, and reads a line that is not shown while it is typed or pasted.
 *
 * Empty when the person ends the input (Ctrl-D). Ctrl-C ends the program as it does everywhere, with the terminal as it was
 * before; so does SIGTERM, for which Node restores it.
 */
export function askSecret(question: string): Promise<string> {
  return new Promise((resolve) => {
    const lines = createInterface({
      input: commandIo().stdin,
      output: nowhere(),
      terminal: true,
      historySize: 0,
    });
    ask(question); // now that nothing is echoed any more
    let answer = '';
    lines.once('line', (line) => {
      answer = line;
      lines.close();
    });
    lines.once('SIGINT', () => {
      lines.close();
      endAs({ kind: 'killed', signal: 'SIGINT' });
    });
    lines.once('close', () => {
      say(''); // the line break that was typed was not shown either
      resolve(answer);
    });
  });
}

/** Where the terminal's echo goes. */
function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
