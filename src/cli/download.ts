import { readRefusalBody } from '../client/read-text.ts';
import { readRefusal, ServiceUnreachable, UnexpectedAnswer } from '../client/read-refusal.ts';
import { chosenService } from './chosen-service.ts';
import type { GlobalOptions } from './data-dir.ts';
import { failureOf, refusalFailure } from './portal.ts';

/** The time limit of a download, in milliseconds. */
const limitMs = 60_000;

/** Downloads the bytes at a path of the portal; fails like `Portal.ask`. */
export async function download(options: GlobalOptions, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const { response, fail } = await request(options, path, { signal: AbortSignal.timeout(limitMs) });
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw fail(cause);
  }
}

/** The bytes that the portal answers a POST with, while they arrive, however long that takes; fails like `Portal.ask`. */
export async function openDownload(
  options: GlobalOptions,
  path: string,
  body: unknown,
): Promise<AsyncIterable<Uint8Array>> {
  const { response, fail } = await request(options, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (async function* () {
    try {
      yield* response.body ?? [];
    } catch (cause) {
      throw fail(cause);
    }
  })();
}

interface Asked extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>;
}

async function request(options: GlobalOptions, path: string, init: Asked) {
  const service = chosenService(options);
  const connection = await service.connect();
  const { baseUrl, authorization = '', fetch: doFetch = fetch } = connection;
  const fail = (cause: unknown) => failureOf(new ServiceUnreachable(baseUrl, { cause }), service, connection);
  let response: Response;
  try {
    response = await doFetch(baseUrl + path, {
      redirect: 'error',
      ...init,
      headers: { ...init.headers, authorization },
    });
    if (response.ok) return { response, fail };
  } catch (cause) {
    throw fail(cause);
  }
  const refusal = readRefusal(response.status, response.headers, await readRefusalBody(response));
  throw refusal === null
    ? failureOf(new UnexpectedAnswer(baseUrl, response.status), service, connection)
    : refusalFailure(refusal, service, connection);
}
