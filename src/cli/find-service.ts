import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Sent } from '../client/create-client.ts';
import type { RuntimeFile } from '../contract/service/portal.ts';
import { provedText } from '../contract/service/own-call.ts';
import { serviceProblem } from '../text/cli/cli.ts';
import { CommandFailure, exitCodes } from './command-failure.ts';

/** The service that a `runtime.json` names. */
export interface FoundService {
  readonly baseUrl: string;
  readonly authorization: string;
  /**
   * That it is this one. Rejects with a failure with exit code 3 for any other program at its address. Resolves with its version; null if
   * it has not told it, and for a host of a team that follows, whose calls another one answers.
   */
  readonly prove: (signal?: AbortSignal) => Promise<string | null>;
}

/**
 * The running service of a data folder, by the `runtime.json` that it keeps there while it runs.
 *
 * Throws a failure with exit code 3 when there is none: no file, or one whose process is gone. Nothing secret may be sent before
 * `prove`: after a crash another account may have its port.
 */
export function findService(dataDir: string): FoundService {
  const { pid, base_url: baseUrl, portal_key: portalKey, proves } = readRuntimeFile(dataDir);
  if (!isAlive(pid) || !isOurs(pid, dataDir)) {
    throw notRunning(dataDir, serviceProblem.notClosed(pid));
  }
  return {
    baseUrl,
    authorization: `Bearer ${portalKey}`,
    prove: async (signal) => {
      // One that was started before an upgrade.
      if (proves !== true) return null;
      const proved = await readProof(baseUrl, portalKey, signal).catch((cause: unknown) => {
        throw notRunning(dataDir, serviceProblem.noAnswer(baseUrl), cause);
      });
      if (proved === null) throw notRunning(dataDir, serviceProblem.otherService(baseUrl));
      return proved.version;
    },
  };
}

/** What answers, if it has the key; null for anything else. Rejects when nothing answers in time. */
async function readProof(
  baseUrl: string,
  key: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly version: string | null } | null> {
  const { createHmac, randomBytes } = process.getBuiltinModule('node:crypto');
  const challenge = randomBytes(24).toString('base64url');
  const { status, body } = await readLocal(`${baseUrl}/v1/health?challenge=${challenge}`, {}, { signal });
  if (status !== 200) return null;
  const expected = createHmac('sha256', key).update(provedText(baseUrl, challenge)).digest('hex');
  try {
    const { proof, version, role } = JSON.parse(body) as Readonly<Record<string, unknown>>;
    const isTold = typeof version === 'string' && role !== 'follower';
    return proof === expected ? { version: isTold ? version : null } : null;
  } catch {
    return null; // no JSON: another program
  }
}

/** The failure of every command that needs the service, when it does not run. */
export function notRunning(dataDir: string, detail?: string, cause?: unknown): CommandFailure {
  return new CommandFailure(exitCodes.notRunning, serviceProblem.notRunning(dataDir, detail), { cause });
}

function runtimeFileIn(dataDir: string): string {
  return join(dataDir, 'runtime.json');
}

function readRuntimeFile(dataDir: string): RuntimeFile {
  const path = runtimeFileIn(dataDir);
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw notFound(dataDir);
    throw notRunning(dataDir, serviceProblem.unreadable(path, code ?? 'unknown'), cause);
  }
  // The content of the file is never shown: it has the key.
  try {
    const parsed: unknown = JSON.parse(content);
    if (isRuntimeFile(parsed)) return parsed;
  } catch {
    // Not JSON: of an unknown format as well.
  }
  throw notRunning(dataDir, serviceProblem.unknownFormat(path));
}

/** The same check as the schema's, without loading the schemas: `get` needs none. */
function isRuntimeFile(value: unknown): value is RuntimeFile {
  const { pid, base_url, portal_key } = (value ?? {}) as Partial<Record<keyof RuntimeFile, unknown>>;
  return Number.isSafeInteger(pid) && typeof base_url === 'string' && typeof portal_key === 'string';
}

/** No runtime file: nothing runs, or it runs and cannot be called, as the lock of the folder shows. */
function notFound(dataDir: string): CommandFailure {
  const holder = holderOf(dataDir);
  if (holder === null || !isAlive(holder)) return notRunning(dataDir);
  return new CommandFailure(
    exitCodes.notRunning,
    serviceProblem.noRuntimeFile(dataDir, holder, runtimeFileIn(dataDir)),
  );
}

/** The process that the folder's lock names; null without one. */
function holderOf(dataDir: string): number | null {
  try {
    const { pid } = JSON.parse(readFileSync(join(dataDir, 'lock'), 'utf8')) as { pid?: unknown };
    return typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null; // no lock, or one without a process
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // it ended, or the id now belongs to another user's process, which is no service of ours
  }
}

/**
 * Whether a process belongs to the user who wrote the runtime file; true where that cannot be determined.
 *
 * After a crash another user's process may get the old process id and port, and would then be sent the owner's key and tokens.
 */
function isOurs(pid: number, dataDir: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return statSync(`/proc/${pid}`).uid === statSync(runtimeFileIn(dataDir)).uid;
  } catch {
    return true;
  }
}

/** The time limit, in milliseconds. When the keychain waits for a person, `runCli` waits longer. */
const answerLimitMs = 20_000;
const largestReply = 64 * 1024;

interface LocalCall {
  /** JSON; without it the call is a GET. */
  readonly body?: string;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** Reads an address of this machine. Rejects when nothing answers. */
export async function readLocal(
  url: string,
  headers: Readonly<Record<string, string>>,
  { body, signal }: LocalCall = {},
): Promise<{ readonly status: number; readonly body: string }> {
  const { status, text } = await sendLocally(
    url,
    {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    },
    { mostBytes: largestReply, timeout: answerLimitMs },
  );
  if (text === null) throw new Error('too large');
  return { status, body: text };
}

/**
 * Sends a call to an address of this machine without Node's `fetch`, whose loading takes as long as Node's start, and never through a
 * proxy. Rejects when nothing answers.
 */
export function sendLocally(
  url: string,
  { body, ...options }: Sent,
  { mostBytes, timeout }: { readonly mostBytes: number; readonly timeout?: number },
): Promise<Answer> {
  // Not imported: an import reads all its exports, and one of them loads what `fetch` needs.
  const { request } = process.getBuiltinModule('node:http');
  return new Promise((resolve, reject) => {
    // For a DELETE Node adds no length, and the body would be taken for the next request.
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const headers = { ...options.headers, ...length };
    const asking = request(url, { ...options, headers, agent: false, timeout }, (response) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      const answer = (text: string | null): void => {
        const get = (name: string): string | null => response.headersDistinct[name]?.join(', ') ?? null;
        resolve({ status: response.statusCode ?? 0, headers: { get }, text });
      };
      response.on('data', (part: Buffer) => {
        bytes += part.length;
        parts.push(part);
        if (bytes <= mostBytes) return;
        answer(null);
        asking.destroy();
      });
      response.once('error', reject);
      response.once('end', () => {
        answer(Buffer.concat(parts).toString());
      });
    });
    asking.once('timeout', () => asking.destroy(new Error('timeout')));
    asking.once('error', reject);
    asking.end(body);
  });
}
