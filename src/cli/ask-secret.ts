import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { endAs } from './end-as.ts';
import { ask, say } from './terminal.ts';

/** Whether there is a terminal to ask on. */
export function canAsk(): boolean {
  return process.stdin.isTTY;
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
      input: process.stdin,
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
