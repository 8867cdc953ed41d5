import { describe, expect, it } from 'vitest';
import type { RotateReply } from '../../../src/contract/token/token.ts';
import { type Ledger, ledgerWith, StoreUnavailable } from '../../../src/core/ledger.ts';
import { logFailure } from '../../../src/service/http/logger-options.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { Notebook } from '../../fixtures/notebook.ts';
import { type AttackSetup, makeSetup, rotate } from './attack-setup.ts';
import { exchange, requestText } from './wire.ts';

/** A ledger over the store that can fail in the next call, by a bug or by the disk. */
function breakable(): { next: Error | null; wrap: (store: Ledger) => Ledger } {
  const fault: { next: Error | null; wrap: (store: Ledger) => Ledger } = {
    next: null,
    wrap: (store) =>
      ledgerWith(store, {
        transact(decide) {
          const { next } = fault;
          fault.next = null;
          return next === null ? store.transact(decide) : Promise.reject(next);
        },
      }),
  };
  return fault;
}

async function everySecretOf(setup: AttackSetup, fault: { next: Error | null }): Promise<string[]> {
  const { portalKey } = setup.service.sessions;
  const issued = await setup.issue();
  const key = 'an-idempotency-key-nobody-guesses';
  const rotated = await rotate(setup, issued.access_token, { 'idempotency-key': key });
  const { access_token: token } = JSON.parse(rotated.text) as RotateReply;
  const refreshed = await setup.call({ method: 'POST', path: '/v1/auth/refresh', bearer: token });
  const { access_token: access } = JSON.parse(refreshed.text) as { access_token: string };
  const code = setup.service.sessions.createCode();
  const signedIn = await setup.call({ method: 'GET', path: `/?code=${code}` });
  const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? '';
  const session = cookie.split('=')[1] ?? '';
  const kept = await valuesOfACredential(setup);
  const added = await setup.owner('POST', '/portal/owners', { name: 'Ada' });
  const { key: ownerKey } = JSON.parse(added.text) as { key: string };
  const secrets = [portalKey, issued.access_token, token, access, code, session, key, ownerKey, ...kept];

  // Every kind of answer, with a secret wherever a caller can put one.
  for (const secret of secrets) {
    for (const [method, path] of [
      ['GET', `/v1/auth/token?access_token=${secret}`],
      ['GET', `/?code=${secret}`],
      ['GET', `/portal/history?subject=${secret}`],
      ['GET', `/portal/tokens?status=${secret}`],
      ['POST', `/portal/tokens?access_token=${secret}`],
      ['OPTIONS', `/v1/auth/rotate?token=${secret}`],
      ['GET', `/portal/credentials/${secret}/value`],
      ['POST', `/portal/credentials/a/targets/${secret}/deliver`],
    ] as const) {
      await setup.call({ method, path, bearer: secret, headers: { cookie: `${cookie}x` } });
    }
    await setup.call({
      method: 'POST',
      path: '/v1/ivr',
      bearer: secret,
      body: { ...ivrBody, name: 5, [secret]: secret },
    });
    await setup.call({
      method: 'POST',
      path: '/portal/tokens',
      bearer: portalKey,
      body: { name: secret, x: secret },
    });
    for (const [method, path, body] of [
      ['POST', '', { name: secret, value: secret, base_url: secret }],
      ['POST', '', { name: 'b', value: `${secret}x` }],
      ['PUT', '/a/value', { value: `${secret}x`, validity_days: secret }],
      ['PUT', '/a/value', { value: `${secret}x` }],
      ['POST', '/a/targets', { kind: 'keychain', service: secret, account: secret, x: secret }],
      ['DELETE', `/${secret}`, {}],
    ] as const) {
      await setup.call({ method, path: `/portal/credentials${path}`, bearer: portalKey, body });
    }
    await exchange(
      setup.port,
      requestText('POST /v1/auth/rotate HTTP/1.1', [
        `Host: ${setup.host}`,
        `Authorization: Bearer ${secret}`,
        `Content-Type: text/${secret}`,
        'Content-Length: 0',
      ]),
    );
    await exchange(
      setup.port,
      `GET /${secret} HTTP/1.1\r\nHost: ${setup.host}\r\nbad header ${secret}\r\n\r\n`,
    );
    await exchange(setup.port, requestText('GET / HTTP/1.1', [`Host: ${secret}`, `Origin: ${secret}`]));
    for (const error of [
      new TypeError('a bug'),
      Object.assign(new Error('a bug with a request in it'), {
        headers: { authorization: `Bearer ${secret}`, cookie },
        access_token: secret,
        body: { access_token: secret },
        cause: Object.assign(new Error('deeper'), { portal_key: secret, authorization: `Bearer ${secret}` }),
      }),
      new StoreUnavailable({ code: 'ENOSPC', path: '/data' }),
    ]) {
      fault.next = error;
      const answer = await setup.call({
        method: 'POST',
        path: '/v1/auth/rotate',
        bearer: token,
        headers: { 'idempotency-key': key, cookie },
      });
      expect(answer.status).toBe(error instanceof StoreUnavailable ? 503 : 500);
      expect(answer.text).not.toContain('a bug');
      // The agent, while it uses a token: the first fault affects its own call to the service.
      const { access_token: value } = await setup.issue();
      for (const { method, path, body, status } of [
        { method: 'PUT', path: 'value', body: { value, validity_days: 7 }, status: 200 },
        { method: 'POST', path: 'rotate', body: {}, status: answer.status },
        { method: 'GET', path: 'value', body: undefined, status: answer.status },
      ]) {
        fault.next = error;
        const call = { method, path: `/portal/credentials/a/${path}`, body, bearer: portalKey };
        const failed = await setup.call(call);
        expect([failed.status, failed.text]).toEqual([status, expect.not.stringContaining('a bug')]);
      }
    }
  }
  return secrets;
}

/** Adds a token and rotates it twice, with a hook that fails and prints its input; returns all its tokens. */
async function valuesOfACredential(setup: AttackSetup): Promise<string[]> {
  const { access_token: first } = await setup.issue();
  const values = [first];
  await setup.owner('POST', '/portal/credentials', { name: 'a', value: first });
  const command = ['sh', '-c', 'cat; env; exit 3'];
  for (const pass of ['stdin', 'env']) {
    await setup.owner('POST', '/portal/credentials/a/targets', { kind: 'hook', command, pass });
  }
  for (let round = 0; round < 2; round += 1) {
    await setup.owner('POST', '/portal/credentials/a/rotate');
    const answer = await setup.owner('GET', '/portal/credentials/a/value');
    values.push((JSON.parse(answer.text) as { value: string }).value);
  }
  return values;
}

describe('the log', () => {
  it('at its wordiest has no token, cookie, code or key in it, whatever fails', async () => {
    const notebook = new Notebook();
    const fault = breakable();
    const setup = await makeSetup({
      log: { level: 'trace', stream: notebook },
      wrapLedger: fault.wrap,
    });
    const secrets = await everySecretOf(setup, fault);
    expect(notebook.text).toContain('A request failed inside the service');
    for (const [place, secret] of secrets.entries()) {
      const random = secret.replace(/^rv[a-z]_/, '').slice(0, 40);
      const line = notebook.text.split('\n').find((text) => text.includes(random));
      expect(line, `secret ${place} (${secret.slice(0, 4)}…) is in the log`).toBeUndefined();
    }
    expect(notebook.text).not.toMatch(/rv[xaprsl]_[0-9A-Za-z]{20}/);
  });

  it('names the request that failed by the id that its answer carries, and not its cause to the caller', async () => {
    const notebook = new Notebook();
    const fault = breakable();
    const setup = await makeSetup({ log: { level: 'error', stream: notebook }, wrapLedger: fault.wrap });
    const { access_token: token } = await setup.issue();
    fault.next = new Error('nobody’s business');
    const answer = await setup.call({ method: 'GET', path: '/v1/ivrs', bearer: token });
    const { request_id: requestId } = JSON.parse(answer.text) as { request_id: string };
    expect(answer.text).not.toContain('business');
    const line = notebook.text.split('\n').find((text) => text.includes('business'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ request_id: requestId });
  });

  it('has the stack of a failure, and not the secret that the runtime puts into it', async () => {
    const notebook = new Notebook();
    const fault = breakable();
    const log = { level: 'error', stream: notebook } as const;
    const setup = await makeSetup({ log, wrapLedger: fault.wrap });
    const { access_token: token } = await setup.issue();
    const secret = 'a-token-of-another-service';
    const failures = [
      thrownBy(() => new URL(`//[?code=${secret}`, 'http://127.0.0.1')), // its input is a property
      thrownBy(() => JSON.parse(`"${secret}`)),
      thrownBy(() => JSON.parse(secret)),
      new Error(`no answer from /callback?state=x&code=${secret}`),
      new Error('no answer', { cause: new Error(`Authorization: Bearer ${secret}`) }),
      new Error(`the token ${token} is odd`),
    ];
    for (const error of failures) {
      fault.next = error;
      expect((await setup.call({ method: 'GET', path: '/v1/ivrs', bearer: token })).status).toBe(500);
      logFailure(log, error, 'r-1');
    }
    const lines = notebook.text.trim().split('\n');
    expect(lines).toHaveLength(2 * failures.length);
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({
        level: 50,
        err: { stack: expect.stringMatching(/\n +at /) as string },
      });
      expect(line).not.toContain('a-token');
      expect(line).not.toContain(token);
    }
  });
});

function thrownBy(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it threw nothing');
}
