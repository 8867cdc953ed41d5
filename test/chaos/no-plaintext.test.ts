import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SignInLink } from '../../src/contract/service/portal.ts';
import type { IssuedToken } from '../../src/contract/token/token.ts';
import { ivrBody } from '../fixtures/ivr-bodies.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { readFolder } from './data-folder.ts';
import { limitFileSize, canLimitFileSize } from './full-disk.ts';
import { type ServiceProcess, startService } from './service-process.ts';

/** All secrets that a client received or made up. */
type Secrets = Map<string, string>;

/** Makes calls of all kinds, including wrong ones, and remembers every secret. */
async function beBusy(service: ServiceProcess, secrets: Secrets): Promise<void> {
  secrets.set('the portal key', service.portalKey);
  for (let family = 0; family < 5; family += 1) {
    const issued = (await service.owner('POST', '/portal/tokens', {
      name: `family ${family}`,
      validity_days: 7,
    })) as IssuedToken;
    let token = issued.access_token;
    secrets.set(`token ${family}.0`, token);
    for (let generation = 1; generation <= 5; generation += 1) {
      const key = `lost-reply-${family}-${generation}-of-${service.pid}`;
      const headers = { 'idempotency-key': key };
      const refreshed = await service.call({ method: 'POST', path: '/v1/auth/refresh', bearer: token });
      secrets.set(`access ${family}.${generation}`, valueIn(refreshed.text));
      const rotated = await service.call({ method: 'POST', path: '/v1/auth/rotate', bearer: token, headers });
      await service.call({ method: 'POST', path: '/v1/auth/rotate', bearer: token, headers });
      secrets.set(`key ${family}.${generation}`, key);
      await service.call({ method: 'POST', path: '/v1/auth/rotate', bearer: token });
      token = valueIn(rotated.text);
      secrets.set(`token ${family}.${generation}`, token);
    }
    await service.call({ method: 'POST', path: '/v1/ivr', bearer: token, body: ivrBody });
    await service.call({ method: 'POST', path: '/v1/ivr', bearer: token, body: { ...ivrBody, name: 5 } });
    await service.call({ method: 'GET', path: `/v1/ivr/x?access_token=${token}`, bearer: token });
    // In places where a secret does not belong but is sometimes put.
    await service.call({ method: 'GET', path: `/v1/nothing?token=${token}` });
    await service.call({ method: 'POST', path: '/v1/auth/refresh', bearer: `${token}x` });
    await service.call({
      method: 'POST',
      path: '/v1/auth/rotate',
      bearer: token,
      headers: { 'content-type': 'text/plain' },
      body: token,
    });
  }
  const { url } = (await service.owner('POST', '/portal/sign-in-links')) as SignInLink;
  const code = new URL(url).searchParams.get('code') ?? '';
  secrets.set('a sign-in code', code);
  const signedIn = await service.call({ method: 'GET', path: `/?code=${code}` });
  const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? '';
  secrets.set('a session', cookie.split('=')[1] ?? '');
  expect((await service.call({ method: 'GET', path: '/portal/status', headers: { cookie } })).status).toBe(
    200,
  );
  await service.call({ method: 'GET', path: `/?code=${code}` });
  await service.owner('GET', '/portal/history?limit=1000');
}

function valueIn(text: string): string {
  return (JSON.parse(text) as { access_token: string }).access_token;
}

/** Searches every file and all output for every secret, and for its random part. */
function expectNowhere(secrets: Secrets, where: Readonly<Record<string, string>>): void {
  expect(secrets.size).toBeGreaterThan(60);
  for (const [what, secret] of secrets) {
    expect(secret.length, what).toBeGreaterThan(10);
    for (const [place, text] of Object.entries(where)) {
      for (const form of formsOf(secret)) {
        expect(text.includes(form), `${what} is in ${place}`).toBe(false);
      }
    }
  }
}

function formsOf(secret: string): string[] {
  const random = secret.replace(/^rv[a-z]_/, '').slice(0, 43);
  const base64 = Buffer.from(secret).toString('base64');
  return [secret, random, base64.slice(4, -4), Buffer.from(secret).toString('hex')];
}

it(
  'keeps no token, key, code or session in any file or in any word that is said, whatever is logged',
  { tags: ['long'] },
  async () => {
    const folder = makeFolder();
    const secrets: Secrets = new Map();
    const texts = (but?: string) =>
      Object.fromEntries(
        Object.entries(readFolder(folder))
          .filter(([name]) => name !== but)
          .map(([name, bytes]) => [name, bytes.toString('latin1')]),
      );

    const first = await startService(folder, { logEverything: true, policy: { minEvents: 50 } });
    await beBusy(first, secrets);
    if (canLimitFileSize) {
      // Failures of the disk are logged too.
      limitFileSize(first.pid, 1);
      const issue = { name: 'n', validity_days: 1 };
      await expect(first.owner('POST', '/portal/tokens', issue)).rejects.toThrow('503');
      limitFileSize(first.pid, 'unlimited');
    }
    const whileRunning = texts('runtime.json');
    expect(readFileSync(join(folder, 'runtime.json'), 'utf8')).toContain(first.portalKey);
    expectNowhere(secrets, whileRunning);
    await first.kill();
    expectNowhere(new Map([...secrets].filter(([what]) => what !== 'the portal key')), texts());

    const second = await startService(folder, { logEverything: true });
    await beBusy(second, secrets);
    expect(await second.stop()).toBe(0);
    const afterwards = {
      ...texts(),
      'what the first said': first.said(),
      'what the second said': second.said(),
    };
    expectNowhere(secrets, afterwards);
    expect(Object.keys(afterwards)).toEqual(expect.arrayContaining(['state.json', 'journal/00000001.jsonl']));
  },
);
