import type { Owner } from '../owner.ts';

/** A call of an app with a token, by the name that it gives itself. */
export function callWith(owner: Owner, value: string, path: string, app: string): Promise<Response> {
  const method = path === '/v1/auth/token' ? 'GET' : 'POST';
  return fetch(`${owner.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${value}`, 'user-agent': app },
  });
}

/** Rotates a token as the app that holds it does; the new value. */
export async function rotateAs(owner: Owner, value: string, app: string): Promise<string> {
  const answer = await callWith(owner, value, '/v1/auth/rotate', app);
  const { access_token } = (await answer.json()) as { access_token?: string };
  if (access_token === undefined) throw new Error(`It was not rotated: ${answer.status}`);
  return access_token;
}
