import { describe, expect, it } from 'vitest';
import { ofFile } from '../../fixtures/when-over.ts';
import { makeSetup, noThrottle, expectRefusal } from './attack-setup.ts';
import { exchange, requestText } from './wire.ts';

/** No test of this file changes what another one sees. */
const setups = ofFile(() => makeSetup({ throttleLimits: noThrottle }));

/** Ways to write a header with the same token (RFC 7235: the scheme in any case; RFC 9110: space around a value). */
const goodHeaders: readonly ((token: string) => string)[] = [
  (token) => `Authorization: Bearer ${token}`,
  (token) => `authorization: bearer ${token}`,
  (token) => `AUTHORIZATION: BEARER ${token}`,
  (token) => `Authorization: bEaReR ${token}`,
  (token) => `Authorization: Bearer     ${token}`,
  (token) => `Authorization:Bearer ${token}`,
  (token) => `Authorization: \t Bearer ${token} \t `,
];

const badHeaders: Readonly<Record<string, (token: string) => readonly string[]>> = {
  'there is no Authorization header': () => [],
  'it is empty': () => ['Authorization:'],
  'it is only space': () => ['Authorization:   \t '],
  'it is only the scheme': () => ['Authorization: Bearer'],
  'it is only the scheme and space': () => ['Authorization: Bearer   '],
  'it is only the token': (token) => [`Authorization: ${token}`],
  'the scheme is Basic': (token) => [`Authorization: Basic ${Buffer.from(`${token}:`).toString('base64')}`],
  'the scheme is Token': (token) => [`Authorization: Token ${token}`],
  'the scheme runs into the token': (token) => [`Authorization: Bearer${token}`],
  'a colon follows the scheme': (token) => [`Authorization: Bearer: ${token}`],
  'a tab follows the scheme': (token) => [`Authorization: Bearer\t${token}`],
  'a non-breaking space follows the scheme': (token) => [`Authorization: Bearer\u00a0${token}`],
  'a word follows the token': (token) => [`Authorization: Bearer ${token} please`],
  'a parameter follows the token': (token) => [`Authorization: Bearer ${token};realm=x`],
  'a comma follows the token': (token) => [`Authorization: Bearer ${token},`],
  'it is a list of two': (token) => [`Authorization: Bearer ${token}, Bearer ${token}`],
  'it is a list of two schemes': (token) => [`Authorization: Basic eDp5, Bearer ${token}`],
  'the token is in quotes': (token) => [`Authorization: Bearer "${token}"`],
  'the token is cut short': (token) => [`Authorization: Bearer ${token.slice(0, -1)}`],
  'the token has one character more': (token) => [`Authorization: Bearer ${token}0`],
  'the token has padding': (token) => [`Authorization: Bearer ${token}=`],
  'the token is in capitals': (token) => [`Authorization: Bearer ${token.toUpperCase()}`],
  'the token is percent-encoded': (token) => [`Authorization: Bearer ${token.replace('_', '%5F')}`],
  'the token has a Cyrillic letter': (token) => [`Authorization: Bearer ${token.slice(0, -1)}\u0430`],
  'the token is an emoji': () => ['Authorization: Bearer \u{1f4a5}'],
  'the token is 8 KB long': () => [`Authorization: Bearer rvx_${'A'.repeat(8 * 1024)}`],
  'there are two equal headers': (token) => [
    `Authorization: Bearer ${token}`,
    `Authorization: Bearer ${token}`,
  ],
  'a valid header comes before another': (token) => [
    `Authorization: Bearer ${token}`,
    'Authorization: Bearer rvx_other',
  ],
  'a valid header comes after another': (token) => [
    'Authorization: Basic eDp5',
    `authorization: Bearer ${token}`,
  ],
  'the token is in X-Authorization': (token) => [`X-Authorization: Bearer ${token}`],
  'the token is in Proxy-Authorization': (token) => [`Proxy-Authorization: Bearer ${token}`],
  'the token is in a cookie': (token) => [`Cookie: Authorization=${token}; access_token=${token}`],
};

describe('the Authorization header', () => {
  it('is read in every form that the standards allow', async () => {
    const setup = await setups.get();
    const { access_token: token } = await setup.issue();
    for (const header of goodHeaders) {
      const answer = await exchange(
        setup.port,
        requestText('GET /v1/auth/token HTTP/1.1', [`Host: ${setup.host}`, header(token)]),
      );
      expect(answer?.status, header('…')).toBe(200);
    }
  });

  it.each(Object.entries(badHeaders))('refuses the caller when %s', async (_what, headers) => {
    const setup = await setups.get();
    const { access_token: token } = await setup.issue();
    const before = setup.events.length;
    for (const line of ['GET /v1/auth/token', 'POST /v1/auth/rotate', 'POST /v1/auth/refresh']) {
      const answer = await exchange(
        setup.port,
        Buffer.from(
          requestText(`${line} HTTP/1.1`, [`Host: ${setup.host}`, ...headers(token), 'Content-Length: 0']),
        ),
      );
      expectRefusal(answer, 'token_invalid', 'auth');
      expect(answer?.headers['www-authenticate']).toBe('Bearer');
      expect(answer?.headers['cache-control']).toBe('no-store');
    }
    expect(setup.events.length).toBe(before);
  });

  it('is refused with 431 when the token is 64 KB long, in the usual shape, and the connection ends', async () => {
    const setup = await setups.get();
    const answer = await exchange(
      setup.port,
      requestText('POST /v1/auth/rotate HTTP/1.1', [
        `Host: ${setup.host}`,
        `Authorization: Bearer ${'A'.repeat(64 * 1024)}`,
      ]),
    );
    expectRefusal(answer, 'header_too_large', 'auth');
    expect(answer?.headers.connection).toBe('close');
  });

  it.each([
    ['NUL', '\0'],
    ['a bare carriage return', '\r'],
    ['an escape', '\u001b'],
    ['DEL', '\u007f'],
  ])('is refused with 400 when it has %s in it', async (_what, character) => {
    const setup = await setups.get();
    const { access_token: token } = await setup.issue();
    const before = setup.events.length;
    const answer = await exchange(
      setup.port,
      requestText('POST /v1/auth/rotate HTTP/1.1', [
        `Host: ${setup.host}`,
        `Authorization: Bearer ${token.slice(0, 20)}${character}${token.slice(20)}`,
      ]),
    );
    expectRefusal(answer, 'bad_header', 'auth');
    expect(setup.events.length).toBe(before);
  });

  it('does not carry a token over to the next request of the same connection', async () => {
    const setup = await setups.get();
    const { access_token: token } = await setup.issue();
    const agent = setup.agent({ keepAlive: true, maxSockets: 1 });
    const first = await setup.call({ method: 'GET', path: '/v1/auth/token', bearer: token, agent });
    const second = await setup.call({ method: 'GET', path: '/v1/auth/token', agent });
    agent.destroy();
    expect(first.status).toBe(200);
    expectRefusal(second, 'token_invalid', 'auth');
  });
});

describe('the owner’s side', () => {
  it('opens neither to an API token nor to an access token, and the portal key opens no bearer route', async () => {
    const setup = await setups.get();
    const { access_token: token } = await setup.issue();
    const refreshed = await setup.call({ method: 'POST', path: '/v1/auth/refresh', bearer: token });
    const { access_token: access } = JSON.parse(refreshed.text) as { access_token: string };
    for (const bearer of [token, access]) {
      expectRefusal(
        await setup.call({ method: 'GET', path: '/portal/tokens', bearer }),
        'not_signed_in',
        'portal',
      );
    }
    const { portalKey } = setup.service.sessions;
    const asApp = await setup.call({ method: 'GET', path: '/v1/auth/token', bearer: portalKey });
    expectRefusal(asApp, 'token_invalid', 'auth');
  });

  it('is not opened by a cookie beside a wrong key, by a made-up cookie, or by a cookie of another port', async () => {
    const setup = await setups.get();
    const session = setup.service.sessions.createSession();
    const cookie = `${setup.cookieName}=${session}`;
    const read = (headers: Record<string, string>) =>
      setup.call({ method: 'GET', path: '/portal/status', headers });
    expect((await read({ cookie })).status).toBe(200);
    expectRefusal(await read({ cookie, authorization: 'Bearer rvp_wrong' }), 'not_signed_in', 'portal');
    expectRefusal(await read({ cookie: `${setup.cookieName}=${session}x` }), 'not_signed_in', 'portal');
    expectRefusal(await read({ cookie: `${setup.cookieName}=` }), 'not_signed_in', 'portal');
    expectRefusal(await read({ cookie: `rotavox_1=${session}` }), 'not_signed_in', 'portal');
  });

  it('gives one session for a sign-in code, however many ask at once', async () => {
    const setup = await setups.get();
    const code = setup.service.sessions.createCode();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => setup.call({ method: 'GET', path: `/?code=${code}` })),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(49);
  });

  it('takes no sign-in code that is given twice, as a list or as something else', async () => {
    const setup = await setups.get();
    const code = setup.service.sessions.createCode();
    for (const query of [
      `code=${code}&code=${code}`,
      `code[]=${code}`,
      `code=${code}%00`,
      'code=',
      `Code=${code}`,
    ]) {
      const answer = await setup.call({ method: 'GET', path: `/?${query}` });
      expect(answer.headers['set-cookie'], query).toBeUndefined();
      expect(answer.status, query).toBeLessThan(500);
    }
  });
});
