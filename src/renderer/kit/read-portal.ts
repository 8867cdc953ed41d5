import { noAnswerText, statusText } from '../../text/window/connection.ts';
import type { PortalReply } from './portal-reply.ts';

/**
 * Reads one resource of the portal, as the window that the cookie says it is.
 *
 * For what the first view shows: it believes the service, and so needs none of the contract's schemas, which weigh as
 * much as the view itself. Everything that is loaded later asks with `ask-portal.ts`. Never throws: a window always has
 * something true to show, and "the service is gone" is part of that.
 */
export async function readPortal<T>(path: string, signal: AbortSignal): Promise<PortalReply<T>> {
  const request = { signal, headers: { accept: 'application/json' } };
  return readAnswer(`/portal/${path}`, request, async (response) => (await response.json()) as T);
}

/** Reads a file of the portal: its bytes, and the name that it is to have. `posted` is what it is made of, where it is asked for so. */
export function readFile(
  path: string,
  posted?: unknown,
): Promise<PortalReply<{ name: string; content: Blob }>> {
  const request: RequestInit =
    posted === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(posted),
        };
  return readAnswer(path, request, async (response) => {
    const [, name = 'rotavox'] =
      /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
    return { name, content: await response.blob() };
  });
}

async function readAnswer<T>(
  address: string,
  request: RequestInit,
  read: (response: Response) => Promise<T>,
): Promise<PortalReply<T>> {
  let response: Response;
  try {
    response = await fetch(address, { ...request, cache: 'no-store' });
  } catch (error) {
    return { kind: 'unreachable', reason: reasonOf(error) };
  }
  if (response.status === 401) {
    const body: unknown = await response.json().catch(() => undefined);
    const takesOwnerKey = typeof body === 'object' && body !== null && 'takes_owner_key' in body;
    return { kind: 'signed-out', command: textIn(body, 'sign_in_command'), takesOwnerKey };
  }
  if (!response.ok) return { kind: 'refused', reason: await refusalOf(response) };
  try {
    return { kind: 'ok', value: await read(response) };
  } catch (error) {
    return { kind: 'unreachable', reason: noAnswerText.brokenOff(reasonOf(error)) };
  }
}

/** What the service said, in its own words when it used any, with the request's id that its log can be searched for. */
async function refusalOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined); // a refusal without JSON is told by its number
  const message = textIn(body, 'message') ?? statusText(response.status, response.statusText);
  const requestId = textIn(body, 'request_id');
  return requestId === undefined ? message : `${message} (${requestId})`;
}

function textIn(body: unknown, key: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Reflect.get(body, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function reasonOf(error: unknown): string {
  // Browsers word this in many ways ("Failed to fetch"), none of which helps.
  if (error instanceof TypeError) return noAnswerText.notReached;
  return error instanceof Error ? error.message : String(error);
}
