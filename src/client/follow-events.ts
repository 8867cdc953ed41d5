import type { EventSourceMessage } from 'eventsource-parser';
import { eventStreamPath } from '../contract/address.ts';
import { ChangeNotice } from '../contract/service/portal.ts';
import { type Connection, readRefusalBody } from './create-client.ts';
import { readEvents } from './read-events.ts';
import { readRefusal, type Refusal, ServiceUnreachable, UnexpectedAnswer } from './read-refusal.ts';

/** A message to a follower. */
export type StreamMessage =
  /** The stream is open; every change from here on is reported. */
  | { readonly kind: 'open' }
  | { readonly kind: 'change'; readonly notice: ChangeNotice }
  /** More was missed than is sent one by one: request everything again, up to this event. */
  | { readonly kind: 'reset'; readonly seq: number }
  /** The stream was lost; it is opened again after this time, and then reports what was missed. */
  | { readonly kind: 'lost'; readonly cause: unknown; readonly retryInMs: number };

export interface FollowOptions {
  /** Ends the stream, and the wait for the next one. */
  readonly signal: AbortSignal;
  /** The last event that the follower knows; later ones are sent first. Default: only new events. */
  readonly lastSeq?: number | undefined;
}

/** The service refused a follower; another attempt would not help. */
export class StreamRefused extends Error {
  readonly code = 'STREAM_REFUSED';
  readonly retry = false;
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'StreamRefused';
    this.refusal = refusal;
  }
}

const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

/**
 * Follows the stream of changes until the signal is aborted, across restarts of the service.
 *
 * `connect` is called before each attempt, because a restarted service has another key and perhaps another
 * port; an error of it counts as a lost stream. Attempts are made after 1, 2, 4 … and at most 30 seconds (the first as the
 * service says). Throws `StreamRefused` on a refusal other than 429 or a 5xx, and `UnexpectedAnswer` when
 * the answer does not match the contract.
 */
export async function* followChanges(
  connect: () => Connection | Promise<Connection>,
  { signal, lastSeq }: FollowOptions,
): AsyncGenerator<StreamMessage, void, undefined> {
  const position: Position = { lastSeq, retryMs: firstRetryMs };
  let failures = 0;
  while (!signal.aborted) {
    let cause: unknown;
    try {
      for await (const news of readStream(await connect(), position, signal)) {
        failures = 0;
        yield news;
      }
      cause = new Error('stream ended');
    } catch (error) {
      if (error instanceof StreamRefused || error instanceof UnexpectedAnswer) throw error;
      cause = error;
    }
    if (hasEnded(signal)) return;
    const retryInMs = Math.min(longestRetryMs, position.retryMs * 2 ** failures);
    failures += 1;
    yield { kind: 'lost', cause, retryInMs };
    await nap(retryInMs, signal);
  }
}

/** The position of a follower, kept across streams. */
interface Position {
  lastSeq: number | undefined;
  retryMs: number;
}

async function* readStream(
  connection: Connection,
  position: Position,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage, void, undefined> {
  const body = await openStream(connection, position, signal);
  // At once: when nothing reads the body yet and the response is garbage, `fetch` cancels it.
  const reader = body.getReader();
  const events = readEvents(reader, {
    onRetry: (retryMs) => (position.retryMs = Math.min(longestRetryMs, Math.max(100, retryMs))),
    onTooLong: () => {
      throw new UnexpectedAnswer(connection.baseUrl, 200);
    },
  });
  try {
    yield { kind: 'open' };
    for await (const message of events) {
      const news = newsOf(message, connection);
      if (news === null) continue;
      position.lastSeq = news.kind === 'change' ? news.notice.seq : news.seq;
      yield news;
    }
  } finally {
    // For a follower that leaves its loop before the first message; afterwards `readEvents` cancels it.
    await reader.cancel().catch(() => undefined);
  }
}

async function openStream(
  { baseUrl, authorization, fetch: doFetch = fetch }: Connection,
  { lastSeq }: Position,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  let response: Response;
  try {
    response = await doFetch(`${baseUrl}${eventStreamPath}`, {
      headers: {
        accept: 'text/event-stream',
        ...(authorization === undefined ? {} : { authorization }),
        ...(lastSeq === undefined ? {} : { 'last-event-id': String(lastSeq) }),
      },
      cache: 'no-store',
      redirect: 'error',
      signal,
    });
  } catch (cause) {
    throw new ServiceUnreachable(baseUrl, { cause });
  }
  const { status, headers, body } = response;
  if (status === 200) {
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!isStream || body === null) throw new UnexpectedAnswer(baseUrl, status);
    return body;
  }
  const refusal = readRefusal(status, headers, await readRefusalBody(response));
  // A service that is stopping or failing is asked again, whatever its answer looks like.
  if (status >= 500 || status === 429) throw new ServiceUnreachable(baseUrl, { cause: refusal });
  throw refusal === null ? new UnexpectedAnswer(baseUrl, status) : new StreamRefused(refusal);
}

function newsOf({ event, id, data }: EventSourceMessage, connection: Connection) {
  if (event === 'reset') return { kind: 'reset', seq: Number(id ?? 0) } as const;
  if (event !== 'change') return null; // an event that a newer service sends to its own windows
  const notice = ChangeNotice.safeParse(parsed(data));
  if (!notice.success) throw new UnexpectedAnswer(connection.baseUrl, 200);
  return { kind: 'change', notice: notice.data } as const;
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function nap(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener('abort', wake);
  });
}

/** Read through a function, because the signal changes while a loop around it waits. */
function hasEnded(signal: AbortSignal): boolean {
  return signal.aborted;
}
