import { readRefusal, ServiceUnreachable, UnexpectedAnswer } from '../client/read-refusal.ts';
import { chosenService } from './chosen-service.ts';
import type { GlobalOptions } from './data-dir.ts';
import { failureOf, refusalFailure } from './portal.ts';

/** The time limit of a download, in milliseconds. */
const limitMs = 60_000;

/** Downloads the bytes at a path of the portal; fails like `Portal.ask`. */
export async function download(options: GlobalOptions, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const service = chosenService(options);
  const connection = await service.connect();
  const { baseUrl, authorization = '', fetch: doFetch = fetch } = connection;
  let response: Response;
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    response = await doFetch(baseUrl + path, {
      headers: { authorization },
      redirect: 'error',
      signal: AbortSignal.timeout(limitMs),
    });
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw failureOf(new ServiceUnreachable(baseUrl, { cause }), service, connection);
  }
  if (response.ok) return bytes;
  const refusal = readRefusal(response.status, response.headers, jsonOf(bytes));
  throw refusal === null
    ? failureOf(new UnexpectedAnswer(baseUrl, response.status), service, connection)
    : refusalFailure(refusal, service, connection);
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined; // no refusal has that shape, so it is reported as an unexpected answer
  }
}
