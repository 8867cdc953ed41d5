import { isUtf8 } from 'node:buffer';
import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { AddCredentialFields, longestToken, TokenValue } from '../contract/credential/credential.ts';
import { ProxyLoginInput } from '../contract/service/network.ts';
import { readPasted } from '../contract/credential/pasted-token.ts';
import { AddPbx } from '../contract/calls/pbx.ts';
import { ClientSecret } from '../contract/credential/sign-in.ts';
import { commandIo } from './command-io.ts';
import { pbxCliText } from '../text/cli/cli-calls.ts';
import { settingsText } from '../text/cli/cli-service.ts';
import { toDo } from '../text/cli/cli.ts';
import { tokenInput } from '../text/cli/cli-credential.ts';
import { CommandFailure, endAs, exitCodes, wrongUsage } from './command-failure.ts';
import { ask, say } from './terminal.ts';

/**
 * Reads a token for a credential: asked for on a terminal without an echo, otherwise all of stdin.
 *
 * Never an argument, which other programs could read. Throws wrong usage for what cannot be a token, without showing it.
 */
export async function readToken(name: string, options: TakingOptions = {}): Promise<string> {
  const text = canAsk() ? await askSecret(tokenInput.question(name)) : await readStdinToken();
  return tokenIn(text, name, options);
}

/** Whether the token may be taken out of what was entered, which a person is asked on a terminal otherwise. */
interface TakingOptions {
  readonly takeToken?: true;
}

/**
 * Reads a token, and the password of the account that can log in when the token is lost: asked for as well, or the second line
 * of stdin. Without one only the token.
 */
export async function readLogin(
  name: string,
  email: string,
  options: TakingOptions = {},
): Promise<{ value: string; password?: string }> {
  const asked = canAsk();
  const [line = '', ...rest] = asked
    ? [await askSecret(tokenInput.question(name))]
    : (await readStdinToken()).split(/\r?\n/);
  const value = await tokenIn(line, name, options);
  const password = asked ? await askSecret(tokenInput.password(email)) : rest.join('\n');
  if (password === '') return { value };
  const checked = AddCredentialFields.shape.password.safeParse(password);
  if (!checked.success) throw wrongUsage(tokenInput.badPassword(checked.error.issues[0]?.message));
  return { value, password };
}

async function tokenIn(text: string, name: string, { takeToken }: TakingOptions): Promise<string> {
  if (text.trim() === '') {
    throw wrongUsage(tokenInput.missing(name));
  }
  const token = TokenValue.safeParse(text);
  // Asked for explicitly, and nothing is recognised: what is stored would be more than the token.
  const isMore = takeToken === true && /\s|^[[{]/.test(text.trim());
  if (token.success && isMore) throw wrongUsage(tokenInput.cannotTell);
  if (token.success) return token.data;
  const problem = tokenInput.invalid(token.error.issues[0]?.message);
  const alone = TokenValue.safeParse(readPasted(text).token);
  if (!alone.success) throw wrongUsage(problem);
  if (takeToken) return alone.data;
  if (!canAsk()) throw wrongUsage([problem, ...toDo(tokenInput.takeOption)]);
  say(problem);
  if (await askWhether(tokenInput.takeApart)) return alone.data;
  throw wrongUsage(tokenInput.missing(name));
}

/** Reads the password of a telephone system, like a token. Throws wrong usage for what cannot be one, without showing it. */
export async function readPbxPassword(name: string): Promise<string> {
  const text = canAsk() ? await askSecret(pbxCliText.question(name)) : await readStdinToken();
  if (text === '') throw wrongUsage(pbxCliText.noPassword(name));
  const password = AddPbx.shape.password.safeParse(text);
  if (password.success) return password.data;
  throw wrongUsage(pbxCliText.badPassword(password.error.issues[0]?.message));
}

/** Reads the password of a user of a proxy, like a token. Throws wrong usage for what cannot be one, without showing it. */
export async function readProxyPassword(user: string, proxy: string): Promise<string> {
  const text = canAsk() ? await askSecret(settingsText.proxyPassword(user, proxy)) : await readStdinToken();
  const password = ProxyLoginInput.shape.password.safeParse(text.replace(/\r?\n$/, ''));
  if (password.success) return password.data;
  throw wrongUsage(settingsText.badProxyPassword(password.error.issues[0]?.message));
}

/** Reads what a server gave a client beside its id, like a token; empty where there is none. */
export async function readClientSecret(name: string): Promise<string> {
  const text = canAsk() ? await askSecret(tokenInput.clientSecret(name)) : await readStdinToken();
  const secret = text.trim();
  if (secret === '' || ClientSecret.safeParse(secret).success) return secret;
  throw wrongUsage(tokenInput.badClientSecret);
}

/** More than the longest token of the contract in UTF-16, with room for what was pasted around it. */
const limitBytes = 4 * longestToken;

/**
 * A token from stdin: all of it, without one line break at its end.
 *
 * Throws wrong usage for more than 256 KB, which cannot be a token. Text in UTF-16 keeps its NUL characters, so that it is recognised.
 */
export async function readStdinToken(stdin: Readable = commandIo().stdin): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > limitBytes) throw wrongUsage(tokenInput.tooLarge);
  }
  const all = Buffer.concat(chunks);
  if (all.includes(0)) return all.toString('latin1').replace(/\r?\n$/, '');
  // A secret is never guessed: in another encoding it would be another one.
  if (!isUtf8(all)) throw wrongUsage(tokenInput.notUtf8);
  return all.toString().replace(/\r?\n$/, '');
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

/** Asks a person to agree; throws where nobody can be asked, and where the answer is not yes. */
export async function askToAgree(words: {
  readonly ask: string;
  readonly noTerminal: string;
  readonly notAgreed: string;
}): Promise<void> {
  if (!canAsk()) throw wrongUsage(words.noTerminal);
  if (!(await askWhether(words.ask))) throw new CommandFailure(exitCodes.failed, words.notAgreed);
}

/** Asks a question on the terminal; only `y` or `yes` is a yes. */
export function askWhether(question: string): Promise<boolean> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: commandIo().stdin, output: commandIo().stderr, historySize: 0 });
    let isYes = false;
    ask(question);
    lines.once('line', (line) => {
      isYes = /^y(?:es)?$/i.test(line.trim());
      lines.close();
    });
    lines.once('close', () => resolve(isYes));
  });
}

/** Where the terminal's echo goes. */
function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
