import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '../../../src/contract/history/audit-event.ts';
import { pageKeyHeader, signInStatement } from '../../../src/contract/address.ts';
import { NewOwner, OwnerList, RevokedOwner, SessionList } from '../../../src/contract/service/owner.ts';
import {
  SignedInAgain,
  SignInChallenge,
  SignInLink,
  sessionIdleHours,
  sessionMostDays,
} from '../../../src/contract/service/portal.ts';
import { ledgerWith, StoreUnavailable } from '../../../src/core/ledger.ts';
import { BrowserFile } from '../../../src/store/browser-file.ts';
import type { Answer } from '../../fixtures/send-call.ts';
import {
  type AttackSetup,
  makeSetup,
  type SetupOptions,
  ask,
  signIn,
  signOut,
  expectRefusal,
  openStream,
} from './attack-setup.ts';
import { openWire, requestText } from './wire.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
type Headers = Readonly<Record<string, string>>;

async function addOwner(setup: AttackSetup, name: string): Promise<NewOwner> {
  return NewOwner.parse(JSON.parse((await setup.owner('POST', '/portal/owners', { name })).text));
}

async function revoke(setup: AttackSetup, name: string): Promise<RevokedOwner> {
  return RevokedOwner.parse(JSON.parse((await setup.owner('DELETE', `/portal/owners/${name}`, {})).text));
}

async function owners(setup: AttackSetup, headers?: Headers): Promise<OwnerList['owners']> {
  const { text } =
    headers === undefined
      ? await setup.owner('GET', '/portal/owners')
      : await setup.call({ method: 'GET', path: '/portal/owners', headers });
  return OwnerList.parse(JSON.parse(text)).owners;
}

function enter(setup: AttackSetup, key: string): Promise<Answer> {
  return setup.call({ method: 'POST', path: '/portal/sessions', body: { key } });
}

/** The headers of a page that signed in. */
function pageOf({ status, headers, text }: Answer): Headers {
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  const [cookie = ''] = String(headers['set-cookie']).split(';');
  const { page_code } = SignedInAgain.parse(JSON.parse(text));
  return { cookie, [pageKeyHeader]: `${page_code}.made-by-the-page` };
}

const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` });

/** Follows a sign-in link as a browser does. */
async function follow(setup: AttackSetup, url: string): Promise<Answer> {
  const { pathname, search } = new URL(url);
  return setup.call({ method: 'GET', path: pathname + search, headers: { accept: 'text/html' } });
}

async function linkOf(setup: AttackSetup, headers: Headers): Promise<string> {
  const { text } = await setup.call({ method: 'POST', path: '/portal/sign-in-links', headers });
  return SignInLink.parse(JSON.parse(text)).url;
}

function eventsOf(setup: AttackSetup, kind: AuditEvent['kind']): AuditEvent[] {
  return setup.events.filter((event) => event.kind === kind);
}

/** A browser's key that a page registers. */
function browserKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const public_key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
  return {
    public_key,
    async signInAgain(setup: AttackSetup): Promise<Answer> {
      const asked = await setup.call({ method: 'POST', path: '/portal/sign-in-challenges' });
      const { challenge } = SignInChallenge.parse(JSON.parse(asked.text));
      const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
      const signature = sign('sha256', Buffer.from(signInStatement(challenge)), key).toString('base64url');
      return setup.call({
        method: 'POST',
        path: '/portal/sessions',
        body: { public_key, challenge, signature },
      });
    },
  };
}

async function remember(setup: AttackSetup, headers: Headers, public_key: string): Promise<void> {
  const call = { method: 'POST', path: '/portal/browser-keys', headers, body: { public_key } };
  expect((await setup.call(call)).status).toBe(200);
}

/** A clock that a test moves. */
function movable() {
  const time = { nowMs: Date.parse('2026-03-01T10:00:00.000Z') };
  return { time, clock: () => time.nowMs };
}

describe('the key of an owner', () => {
  it('is shown once, and only its digest is kept', async () => {
    const setup = await makeSetup();
    const answer = await setup.owner('POST', '/portal/owners', { name: 'Ada' });
    expect(answer.headers['cache-control']).toBe('no-store');
    const { key } = NewOwner.parse(JSON.parse(answer.text));
    expect(key).toMatch(/^rvo_[0-9A-Za-z]{49}$/);
    expect(JSON.stringify([...setup.store.state.owners.values()])).not.toContain(key);
    for (const path of ['/portal/owners', '/portal/history', '/portal/status'])
      expect((await setup.owner('GET', path)).text).not.toContain(key.slice(4));
  });

  it('opens the portal as that owner, and not the routes of tokens', async () => {
    const setup = await makeSetup();
    const { id, key } = await addOwner(setup, 'Ada');
    const { status, text } = await ask(setup, bearer(key));
    expect([status, JSON.parse(text)]).toMatchObject([200, { owner: { id, name: 'Ada' } }]);
    expect(JSON.parse((await setup.owner('GET', '/portal/status')).text)).toMatchObject({ owner: null });
    expectRefusal(await ask(setup, bearer(key), '/v1/auth/token'), 'token_invalid', 'auth');
    expect(await owners(setup, bearer(key))).toMatchObject([{ name: 'Ada', is_you: true, sessions: 0 }]);
  });

  it('opens nothing when it is another one, is cut off, has another case, or stands in the address or a cookie', async () => {
    const setup = await makeSetup();
    const { key } = await addOwner(setup, 'Ada');
    for (const wrong of [`${key}x`, key.slice(0, -1), key.toUpperCase(), key.slice(4), 'rvo_'])
      expect((await ask(setup, bearer(wrong))).status).toBe(401);
    for (const path of [`/portal/status?key=${key}`, `/portal/status?access_token=${key}`])
      expect((await ask(setup, {}, path)).status).toBe(401);
    expect((await ask(setup, { cookie: `rotavox_${setup.port}=${key}` })).status).toBe(401);
    expectRefusal(await ask(setup, {}, `/?code=${key}`), 'sign_in_link_spent', 'auth');
  });

  it('names its owner in the history of what it does, also where the agent or telephony decides', async () => {
    const setup = await makeSetup();
    const { id, key } = await addOwner(setup, 'Ada');
    const calls: readonly (readonly [string, string, object])[] = [
      ['POST', '/portal/tokens', { name: 'billing', validity_days: 7 }],
      ['PATCH', '/portal/settings', { theme: 'dark' }],
      [
        'POST',
        '/portal/credentials',
        {
          name: 'nightly',
          base_url: 'http://127.0.0.1:9',
          value: 'a-token-of-that-service',
          validity_days: 7,
        },
      ],
      [
        'POST',
        '/portal/pbxs',
        { name: 'office', url: 'http://127.0.0.1:9', user: 'rotavox', password: 'secret' },
      ],
      ['POST', '/portal/owners', { name: 'Grace' }],
    ];
    for (const [method, path, body] of calls) {
      const { status, text } = await setup.call({ method, path, body, bearer: key });
      expect([path, status, text]).toMatchObject([path, 200, expect.anything()]);
    }
    await setup.issue();
    const ada = { kind: 'owner', owner_id: id, name: 'Ada' };
    expect(eventsOf(setup, 'token.issued').map(({ actor }) => actor)).toEqual([ada, { kind: 'owner' }]);
    for (const kind of ['settings.changed', 'credential.added', 'pbx.added'] as const)
      expect(eventsOf(setup, kind).map(({ actor }) => actor)).toEqual([ada]);
    expect(eventsOf(setup, 'owner.added').map(({ actor }) => actor)).toEqual([{ kind: 'owner' }, ada]);
    const csv = (await setup.owner('GET', '/portal/history/export?format=csv')).text;
    expect(csv.split('\n').find((line) => line.includes('credential.added'))).toMatch(/,Ada\r?$/);
  });

  it('is recorded once an hour for an address, with the last use in the list', async () => {
    const { time, clock } = movable();
    const setup = await makeSetup({ clock });
    const { key } = await addOwner(setup, 'Ada');
    expect(await owners(setup)).toMatchObject([{ last_used_at: null }]);
    for (let call = 0; call < 3; call += 1) {
      expect((await ask(setup, bearer(key))).status).toBe(200);
      time.nowMs += 10 * minuteMs;
    }
    expect(eventsOf(setup, 'owner.signed_in')).toMatchObject([
      { data: { name: 'Ada', way: 'key', address: '127.0.0.1' }, actor: { name: 'Ada' } },
    ]);
    expect(await owners(setup)).toMatchObject([
      { last_used_at: new Date(time.nowMs - 10 * minuteMs).toISOString() },
    ]);
    time.nowMs += hourMs;
    expect((await ask(setup, bearer(key))).status).toBe(200);
    expect(eventsOf(setup, 'owner.signed_in')).toHaveLength(2);
  });
});

describe('an owner in a browser', () => {
  it('signs in with the key, and needs the page key beside the cookie as after a link', async () => {
    const setup = await makeSetup();
    const { id, key } = await addOwner(setup, 'Ada');
    const page = pageOf(await enter(setup, key));
    expect(JSON.parse((await ask(setup, page)).text)).toMatchObject({ owner: { id } });
    expectRefusal(await ask(setup, { cookie: page['cookie']! }), 'not_signed_in', 'portal');
    expect(eventsOf(setup, 'owner.signed_in')).toMatchObject([{ data: { way: 'browser' } }]);
    const issue = { method: 'POST', path: '/portal/tokens', body: { name: 'a', validity_days: 7 } };
    expect((await setup.call({ ...issue, headers: page })).status).toBe(200);
    expect(eventsOf(setup, 'token.issued')).toMatchObject([{ actor: { owner_id: id, name: 'Ada' } }]);
  });

  it('is told that a key signs in only where there are owners', async () => {
    const setup = await makeSetup();
    expect((await ask(setup, {})).text).not.toContain('takes_owner_key');
    await addOwner(setup, 'Ada');
    const refused = await ask(setup, {});
    expectRefusal(refused, 'not_signed_in', 'portal');
    expect(JSON.parse(refused.text)).toMatchObject({ takes_owner_key: true });
  });

  it('makes links that sign in as that owner, until it is revoked', async () => {
    const setup = await makeSetup();
    const { id, key } = await addOwner(setup, 'Ada');
    const page = pageOf(await enter(setup, key));
    const [used, late] = [await linkOf(setup, page), await linkOf(setup, bearer(key))];
    const { headers } = await follow(setup, used);
    const [cookie = ''] = String(headers['set-cookie']).split(';');
    const linked = { cookie, [pageKeyHeader]: `${String(headers.location).split('=')[1] ?? ''}.x` };
    expect(JSON.parse((await ask(setup, linked)).text)).toMatchObject({ owner: { id } });
    await revoke(setup, 'Ada');
    expect((await follow(setup, late)).status).toBe(401);
  });

  it('is remembered as that owner, and forgotten when it is revoked', async () => {
    const setup = await makeSetup();
    const { id, key } = await addOwner(setup, 'Ada');
    const page = pageOf(await enter(setup, key));
    await ask(setup, page);
    const browser = browserKey();
    await remember(setup, page, browser.public_key);
    const again = pageOf(await browser.signInAgain(setup));
    expect(JSON.parse((await ask(setup, again)).text)).toMatchObject({ owner: { id } });
    const list = new BrowserFile(setup.folder);
    expect(list.read()).toMatchObject([{ owner: id }]);
    await revoke(setup, 'Ada');
    expect(list.read()).toEqual([]);
    expectRefusal(await browser.signInAgain(setup), 'not_signed_in', 'portal');
  });

  it('is not remembered by a list that still has a revoked owner, nor by a host that does not know the owner', async () => {
    const setup = await makeSetup();
    const { key } = await addOwner(setup, 'Ada');
    const page = pageOf(await enter(setup, key));
    await ask(setup, page);
    const browser = browserKey();
    await remember(setup, page, browser.public_key);
    await setup.service.app.close();
    const elsewhere = await makeSetup({ port: setup.port, browsers: new BrowserFile(setup.folder) });
    expectRefusal(await browser.signInAgain(elsewhere), 'not_signed_in', 'portal');
  });

  it('has to enter the key again after some weeks, however much it is used, also with an open stream', async () => {
    const { time, clock } = movable();
    const setup = await makeSetup({ clock });
    const { key } = await addOwner(setup, 'Ada');
    const page = pageOf(await enter(setup, key));
    const other = await signIn(setup);
    await ask(setup, page);
    const browser = browserKey();
    await remember(setup, page, browser.public_key);
    const stream = await openStream(setup, page);
    const endsMs = time.nowMs + sessionMostDays * dayMs;
    const stepMs = (sessionIdleHours - 2) * hourMs;
    for (; time.nowMs < endsMs; time.nowMs += stepMs) {
      expect((await ask(setup, page)).status).toBe(200);
      expect((await ask(setup, other.own)).status).toBe(200);
    }
    setup.service.sessions.endOverdue();
    await stream.closed();
    expectRefusal(await ask(setup, page), 'not_signed_in', 'portal');
    expectRefusal(await browser.signInAgain(setup), 'not_signed_in', 'portal');
    expect((await ask(setup, other.own)).status).toBe(200);
  });

  it('signs out of its own browsers only, and sees only those', async () => {
    const setup = await makeSetup();
    const [ada, grace] = [await addOwner(setup, 'Ada'), await addOwner(setup, 'Grace')];
    const pages = [
      pageOf(await enter(setup, ada.key)),
      pageOf(await enter(setup, ada.key)),
      pageOf(await enter(setup, grace.key)),
      (await signIn(setup)).own,
    ] as const;
    for (const page of pages) expect((await ask(setup, page)).status).toBe(200);
    const listed = await ask(setup, pages[0], '/portal/sessions');
    const { sessions } = SessionList.parse(JSON.parse(listed.text));
    expect(sessions.map(({ is_current }) => is_current).toSorted()).toEqual([false, true]);
    expect((await owners(setup)).map(({ sessions: count }) => count)).toEqual([2, 1]);

    const [graceSession] = SessionList.parse(
      JSON.parse((await ask(setup, pages[2], '/portal/sessions')).text),
    ).sessions;
    const end = (id: string): Promise<Answer> =>
      setup.call({ method: 'DELETE', path: `/portal/sessions/${id}`, headers: pages[0] });
    expect((await end(graceSession?.id ?? '')).status).toBe(404);
    const other = sessions.find(({ is_current }) => !is_current);
    expect((await end(other?.id ?? '')).status).toBe(200);
    expectRefusal(await ask(setup, pages[1]), 'not_signed_in', 'portal');

    expect(JSON.parse((await signOut(setup, pages[0], true)).text)).toEqual({ signed_out: 1 });
    expectRefusal(await ask(setup, pages[0]), 'not_signed_in', 'portal');
    for (const page of pages.slice(2)) expect((await ask(setup, page)).status).toBe(200);
    const byMachine = await setup.owner('POST', '/portal/sign-out', { all_browsers: true });
    expect(JSON.parse(byMachine.text)).toEqual({ signed_out: 1 });
    expect((await ask(setup, pages[2])).status).toBe(200);
  });
});

describe('revoking an owner', () => {
  it('ends its sessions and event streams at once, and nobody else’s', async () => {
    const setup = await makeSetup();
    const [ada, grace] = [await addOwner(setup, 'Ada'), await addOwner(setup, 'Grace')];
    const page = pageOf(await enter(setup, ada.key));
    const other = pageOf(await enter(setup, grace.key));
    const streams = [await openStream(setup, page), await openStream(setup, bearer(ada.key))];
    const stays = [await openStream(setup, other), await openStream(setup, bearer(grace.key))];
    expect(await revoke(setup, 'ada')).toEqual({
      id: ada.id,
      name: 'Ada',
      sessions_ended: 1,
      owners_left: 1,
    });
    await Promise.all(streams.map((stream) => stream.closed()));
    for (const headers of [page, bearer(ada.key)])
      expectRefusal(await ask(setup, headers), 'not_signed_in', 'portal');
    expectRefusal(await enter(setup, ada.key), 'wrong_owner_key', 'portal');
    for (const headers of [other, bearer(grace.key)]) expect((await ask(setup, headers)).status).toBe(200);
    for (const { socket } of stays) expect(socket.closed).toBe(false);
    expect(await revoke(setup, 'Grace')).toMatchObject({ owners_left: 0 });
  });

  it('refuses a call of that owner whose body arrives only afterwards', async () => {
    const setup = await makeSetup();
    const { key } = await addOwner(setup, 'Ada');
    const body = JSON.stringify({ name: 'late', validity_days: 7 });
    const wire = openWire(setup.port);
    const admitted = new Promise<void>((resolve) => {
      setup.service.app.server.once('request', () => setImmediate(resolve));
    });
    wire.write(
      requestText('POST /portal/tokens HTTP/1.1', [
        `Host: ${setup.host}`,
        'Connection: close',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        `Authorization: Bearer ${key}`,
      ]),
    );
    await admitted;
    await revoke(setup, 'Ada');
    wire.write(body);
    await wire.closed();
    expect(wire.received()).toMatch(/^HTTP\/1\.1 401 /);
    expect(eventsOf(setup, 'token.issued')).toEqual([]);
  });

  it.each(['/portal/history', '/portal/history/export?format=csv'])(
    'gives that owner nothing more of an answer that takes long: %s',
    async (path) => {
      const [asked, answered] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      let calls = 0;
      const setup = await makeSetup({
        wrapLedger: (store) =>
          ledgerWith(store, {
            async history(filter) {
              if (++calls === 2) asked.resolve(undefined);
              await answered.promise;
              return store.history(filter);
            },
          }),
      });
      const { key } = await addOwner(setup, 'Ada');
      const wires = [bearer(key), pageOf(await enter(setup, key))].map((headers) => {
        const wire = openWire(setup.port);
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
        wire.write(
          requestText(`GET ${path} HTTP/1.1`, [`Host: ${setup.host}`, 'Connection: close', ...lines]),
        );
        return wire;
      });
      await asked.promise;
      await revoke(setup, 'Ada');
      if (path.includes('export')) await Promise.all(wires.map((wire) => wire.closed()));
      answered.resolve(undefined);
      for (const wire of wires) expect(await wire.closed()).not.toContain('owner.added');
    },
  );
});

describe('failed sign-ins', () => {
  const wrong = (place: number): string => `rvo_${String(place).padStart(49, '0')}`;

  it('have to wait after a few, and a right key never has to', async () => {
    const { time, clock } = movable();
    const setup = await makeSetup({ clock });
    const { key } = await addOwner(setup, 'Ada');
    for (let place = 0; place < 10; place += 1)
      expectRefusal(await enter(setup, wrong(place)), 'wrong_owner_key', 'portal');
    const refused = await enter(setup, wrong(10));
    expectRefusal(refused, 'too_many_sign_ins', 'portal');
    const waitSeconds = Number(refused.headers['retry-after']);
    expect(waitSeconds).toBeGreaterThanOrEqual(1);
    pageOf(await enter(setup, key));
    time.nowMs += waitSeconds * 1000;
    expectRefusal(await enter(setup, wrong(11)), 'wrong_owner_key', 'portal');
  });

  it('are in the history once a minute, with how many there were, and without what was tried', async () => {
    const { time, clock } = movable();
    const setup = await makeSetup({ clock });
    for (let place = 0; place < 5; place += 1) {
      await enter(setup, wrong(place));
      await ask(setup, bearer(wrong(place)));
    }
    expect(eventsOf(setup, 'owner.sign_in_failed')).toMatchObject([
      { subject: 'owners', actor: { kind: 'system' }, data: { address: '127.0.0.1', attempts: 1 } },
    ]);
    time.nowMs += minuteMs;
    await enter(setup, 'not even a key');
    expect(eventsOf(setup, 'owner.sign_in_failed')).toMatchObject([
      { data: { attempts: 1 } },
      { data: { attempts: 10 } },
    ]);
    expect(JSON.stringify(setup.events)).not.toMatch(/rvo_|not even/);
  });

  it('are not what an old portal key is, which a command may have for a moment', async () => {
    const setup = await makeSetup();
    const other = await makeSetup();
    expect((await ask(setup, bearer(other.service.sessions.portalKey))).status).toBe(401);
    expect(eventsOf(setup, 'owner.sign_in_failed')).toEqual([]);
  });
});

describe('while the disk refuses changes', () => {
  it('owners sign in and read, and none is added or revoked', async () => {
    let isRefusing = false;
    const wrapLedger: SetupOptions['wrapLedger'] = (store) =>
      ledgerWith(store, {
        async transact(decide) {
          return store.transact((state, nowMs) => {
            const decision = decide(state, nowMs);
            if (isRefusing && decision.events.length > 0)
              throw new StoreUnavailable({ code: 'ENOSPC', path: '/data', operation: 'write' } as never);
            return decision;
          });
        },
      });
    const setup = await makeSetup({ wrapLedger });
    const { key } = await addOwner(setup, 'Ada');
    isRefusing = true;
    const page = pageOf(await enter(setup, key));
    expect((await ask(setup, page)).status).toBe(200);
    expect((await enter(setup, 'wrong')).status).toBe(403);
    const revoked = await setup.call({ method: 'DELETE', path: '/portal/owners/Ada', headers: page });
    expect(revoked.status).toBe(503);
    expect((await ask(setup, page)).status).toBe(200);
  });
});
