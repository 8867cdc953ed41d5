import { noAnswerText, statusText } from '../../text/window/connection.ts';
import type { FieldError } from '../../contract/problems.ts';

/** Why the portal gave no answer that a window can show. */
export type PortalProblem =
  | { readonly kind: 'unreachable'; readonly reason: string }
  | {
      readonly kind: 'signed-out';
      /** The command that makes a sign-in link on this machine, where the service knows it. */
      readonly command?: string | undefined;
      /** Whether there are owners, whose keys sign in. */
      readonly takesOwnerKey?: boolean;
    }
  | {
      readonly kind: 'refused';
      /** The service's own sentence. */
      readonly reason: string;
      /** The problem's code in the contract, where the portal says one. */
      readonly code?: string | undefined;
      /** What is wrong field by field. */
      readonly errors?: readonly FieldError[] | undefined;
    };

export type PortalReply<T> = { readonly kind: 'ok'; readonly value: T } | PortalProblem;

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
  {
    posted,
    signal = null,
  }: { readonly posted?: unknown; readonly signal?: AbortSignal | null | undefined } = {},
): Promise<PortalReply<{ name: string; content: Blob }>> {
  const request: RequestInit =
    posted === undefined
      ? { signal }
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(posted),
          signal,
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
