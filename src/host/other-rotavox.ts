import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { userInfo } from 'node:os';

/** A Rotavox that has a port of this machine. */
export interface OtherRotavox {
  /** The account that it runs as; null: our own, or not known. */
  readonly account: string | null;
}

const answerMs = 5_000;
/** In characters: anything may answer at a port. */
const longestHealth = 64 * 1024;

/** Who answers at a port of this machine, if it is a Rotavox; null: something else, or nothing in time. */
export async function rotavoxAt(host: string, port: number): Promise<OtherRotavox | null> {
  try {
    const answer = await fetch(`http://${isIPv6(host) ? `[${host}]` : host}:${port}/v1/health`, {
      signal: AbortSignal.timeout(answerMs),
      redirect: 'manual',
    });
    const { status, version } = JSON.parse(await shortText(answer)) as {
      status?: unknown;
      version?: unknown;
    };
    if (typeof status !== 'string' || typeof version !== 'string') return null;
  } catch {
    return null; // no answer, or none of ours
  }
  return { account: await accountListeningAt(port) };
}

/** Empty for a text that is too long. */
async function shortText({ body }: Response): Promise<string> {
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.length > longestHealth) return '';
  }
  return text;
}

/** On Linux the name of the other account whose program listens at a port; null elsewhere, and for our own. */
async function accountListeningAt(port: number): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8').catch(() => '')),
  );
  const uid = uidListeningAt(tables.join('\n'), port);
  if (uid === null || uid === userInfo().uid) return null;
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const line = accounts.split('\n').find((one) => one.split(':')[2] === String(uid));
  return line?.split(':')[0] ?? String(uid);
}

const listening = '0A';

/** proc_pid_net_tcp(5): `sl local_address rem_address st … uid`, addresses and ports in hexadecimal digits. */
export function uidListeningAt(table: string, port: number): number | null {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of table.split('\n')) {
    const [, local, , state, , , , uid] = line.trim().split(/\s+/);
    if (local?.endsWith(end) && state === listening && uid !== undefined) return Number(uid);
  }
  return null;
}
