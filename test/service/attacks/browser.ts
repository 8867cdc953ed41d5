import { expect } from 'vitest';
import { pageCodeFragment, pageKeyHeader } from '../../../src/contract/address.ts';
import type { AttackSetup } from './attack-setup.ts';
import type { Answer } from '../../fixtures/send-call.ts';

/** The headers of a browser that opens an address. */
const asBrowser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

export interface Browser {
  /** The headers that it sends to every port of 127.0.0.1. */
  readonly cookie: string;
  readonly pageCode: string;
  /** The headers of its page. */
  readonly own: Readonly<Record<string, string>>;
}

/** Follows a sign-in link as a browser does. */
export async function signIn(setup: AttackSetup): Promise<Browser> {
  const path = `/?code=${setup.service.sessions.createCode()}`;
  const { status, headers } = await setup.call({ method: 'GET', path, headers: asBrowser });
  expect(status).toBe(303);
  const location = String(headers.location);
  expect(location.startsWith(`/${pageCodeFragment}`)).toBe(true);
  const pageCode = location.slice(pageCodeFragment.length + 1);
  const [cookie = ''] = String(headers['set-cookie']).split(';');
  return { cookie, pageCode, own: { cookie, [pageKeyHeader]: `${pageCode}.made-by-the-page` } };
}

export function ask(
  setup: AttackSetup,
  headers: Readonly<Record<string, string>>,
  path = '/portal/status',
): Promise<Answer> {
  return setup.call({ method: 'GET', path, headers });
}

export function signOut(
  setup: AttackSetup,
  headers: Readonly<Record<string, string>>,
  allBrowsers = false,
): Promise<Answer> {
  const body = { all_browsers: allBrowsers };
  return setup.call({ method: 'POST', path: '/portal/sign-out', headers, body });
}

/** The cookie of a window of the app, which needs no page key. */
export function windowCookie({ service, cookieName }: AttackSetup): { name: string; value: string } {
  return { name: cookieName, value: service.sessions.createSession() };
}
