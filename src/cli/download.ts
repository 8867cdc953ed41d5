import { readBytes, readRefusalBody } from '../client/create-client.ts';
import { readRefusal, ServiceUnreachable, UnexpectedAnswer } from '../client/read-refusal.ts';
import { serviceProblem } from '../text/cli/cli.ts';
import { chosenService } from './chosen-service.ts';
import { CommandFailure, exitCodes } from './command-failure.ts';
import type { GlobalOptions } from './chosen-data-dir.ts';
import { failureOf, refusalFailure } from './open-portal.ts';

/** The time limit of a download, in milliseconds. */
const limitMs = 60_000;

/** The largest table, in bytes: a million calls have half of it. */
export const tableLimitBytes = 256 * 1024 * 1024;

/** Downloads the bytes at a path of the portal; fails like `Portal.ask`, and for more than `mostBytes`. */
export async function download(
  options: GlobalOptions,
  path: string,
  mostBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { response, baseUrl, fail } = await request(options, path, { signal: AbortSignal.timeout(limitMs) });
  let bytes: Uint8Array<ArrayBuffer> | null;
  try {
    bytes = await readBytes(response, mostBytes);
  } catch (cause) {
    throw fail(cause);
  }
  if (bytes !== null) return bytes;
  throw new CommandFailure(exitCodes.failed, serviceProblem.tooLarge(baseUrl, mostBytes / 1024 ** 2));
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
    if (response.ok) return { response, baseUrl, fail };
  } catch (cause) {
    throw fail(cause);
  }
  const refusal = readRefusal(response.status, response.headers, await readRefusalBody(response));
  throw refusal === null
    ? failureOf(new UnexpectedAnswer(baseUrl, response.status), service, connection)
    : refusalFailure(refusal, service, connection);
}
