import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageKeyHeader, signInStatement } from '../../../src/contract/address.ts';
import {
  type KnownBrowser,
  SignedInAgain,
  SignInChallenge,
  type SignInProof,
  sessionIdleHours,
} from '../../../src/contract/service/portal.ts';
import { StoreUnavailable } from '../../../src/core/ledger.ts';
import { BrowserFile } from '../../../src/store/browser-file.ts';
import type { Answer } from '../../fixtures/send-call.ts';
import {
  type AttackSetup,
  makeSetup,
  type SetupOptions,
  ask,
  type Browser,
  signIn,
  signOut,
  windowCookie,
  expectRefusal,
} from './attack-setup.ts';
import { waitFor } from '../../fixtures/wait-for.ts';

const hourMs = 3_600_000;

/** A browser's key: its page signs with it and cannot read it out. */
class Key {
  readonly #privateKey: KeyObject;
  readonly publicKey: string;

  constructor(namedCurve = 'P-256') {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
    this.#privateKey = privateKey;
    this.publicKey = publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
  }

  prove(challenge: string, statement = signInStatement(challenge)): SignInProof {
    const key = { key: this.#privateKey, dsaEncoding: 'ieee-p1363' } as const;
    const signature = sign('sha256', Buffer.from(statement), key).toString('base64url');
    return { public_key: this.publicKey, challenge, signature };
  }
}

function remember(setup: AttackSetup, { own }: Browser, publicKey: string): Promise<Answer> {
  return setup.call({
    method: 'POST',
    path: '/portal/browser-keys',
    headers: own,
    body: { public_key: publicKey },
  });
}

async function challengeOf(setup: AttackSetup): Promise<string> {
  const { text } = await setup.call({ method: 'POST', path: '/portal/sign-in-challenges' });
  return SignInChallenge.parse(JSON.parse(text)).challenge;
}

function answer(setup: AttackSetup, body: SignInProof): Promise<Answer> {
  return setup.call({ method: 'POST', path: '/portal/sessions', body });
}

/** The headers of the page with its new session. */
function headersOf({ status, headers, text }: Answer): Browser['own'] {
  expect(status).toBe(200);
  const [cookie = ''] = String(headers['set-cookie']).split(';');
  return {
    cookie,
    [pageKeyHeader]: `${SignedInAgain.parse(JSON.parse(text)).page_code}.made-by-the-page`,
  };
}

/** A service with a browser that it remembers, and the browser's key. */
async function makeRemembered(options: SetupOptions = {}) {
  const setup = await makeSetup(options);
  const browser = await signIn(setup);
  await ask(setup, browser.own);
  const key = new Key();
  expect((await remember(setup, browser, key.publicKey)).status).toBe(200);
  return { setup, browser, key };
}

/** A new process on the folder, on the port of the old one unless told otherwise. */
async function restart(setup: AttackSetup, options: SetupOptions = {}): Promise<AttackSetup> {
  await setup.service.app.close();
  return makeSetup({ port: setup.port, browsers: new BrowserFile(setup.folder), ...options });
}

describe('a browser that is remembered', () => {
  it('signs in again after each restart, and its session is like any other', async () => {
    const { setup, browser, key } = await makeRemembered();
    let running = setup;
    for (let round = 0; round < 2; round += 1) {
      running = await restart(running, { browsers: new BrowserFile(setup.folder) });
      expectRefusal(await ask(running, browser.own), 'not_signed_in', 'portal');
      const own = headersOf(await answer(running, key.prove(await challengeOf(running))));
      expectRefusal(await ask(running, { cookie: own['cookie']! }), 'not_signed_in', 'portal');
      expect((await ask(running, own)).status).toBe(200);
    }
  });

  it('is known by its public key, its port and its last use, and nothing else is in the file', async () => {
    const { setup, key } = await makeRemembered();
    const [known, ...others] = new BrowserFile(setup.folder).read();
    expect(others).toEqual([]);
    expect(known).toEqual({
      public_key: key.publicKey,
      port: setup.port,
      used_at: expect.stringMatching(/Z$/) as string,
    });
  });

  it('is forgotten when it signs out, and when all browsers do', async () => {
    for (const allBrowsers of [false, true]) {
      const { setup, browser, key } = await makeRemembered();
      const other = await signIn(setup);
      await ask(setup, other.own);
      expect((await signOut(setup, allBrowsers ? other.own : browser.own, allBrowsers)).status).toBe(200);
      const after = await restart(setup);
      expectRefusal(await answer(after, key.prove(await challengeOf(after))), 'not_signed_in', 'portal');
    }
  });

  it('is forgotten by its own sign-out also in a session that it got with its key', async () => {
    const { setup, key } = await makeRemembered();
    const after = await restart(setup);
    const own = headersOf(await answer(after, key.prove(await challengeOf(after))));
    expect((await signOut(after, own)).status).toBe(200);
    expectRefusal(await answer(after, key.prove(await challengeOf(after))), 'not_signed_in', 'portal');
    expect(new BrowserFile(setup.folder).read()).toEqual([]);
  });

  it('stays known while it is used, and not some hours after its last use', async () => {
    let nowMs = Date.now();
    const clock = (): number => nowMs;
    const { setup, browser, key } = await makeRemembered({ clock });
    for (let round = 0; round < 3; round += 1) {
      nowMs += (sessionIdleHours - 1) * hourMs;
      expect((await ask(setup, browser.own)).status).toBe(200);
    }
    const after = await restart(setup, { clock });
    const own = headersOf(await answer(after, key.prove(await challengeOf(after))));
    expect((await ask(after, own)).status).toBe(200);
    nowMs += sessionIdleHours * hourMs;
    expectRefusal(await answer(after, key.prove(await challengeOf(after))), 'not_signed_in', 'portal');
  });
});

describe('signing in again is refused', () => {
  it('to a key that nobody registered, and to one whose signature is of something else', async () => {
    const { setup, key } = await makeRemembered();
    const [challenge, other] = [await challengeOf(setup), await challengeOf(setup)];
    const proofs: SignInProof[] = [
      new Key().prove(await challengeOf(setup)),
      { ...new Key().prove(await challengeOf(setup)), public_key: key.publicKey },
      { ...key.prove(other), challenge },
      key.prove(await challengeOf(setup), challenge),
      key.prove('made-up'),
    ];
    for (const proof of proofs) expectRefusal(await answer(setup, proof), 'not_signed_in', 'portal');
  });

  it('to a challenge that was answered, or is a minute old, or is of an earlier process', async () => {
    let nowMs = Date.now();
    const { setup, key } = await makeRemembered({ clock: () => nowMs });
    const proof = key.prove(await challengeOf(setup));
    headersOf(await answer(setup, proof));
    expectRefusal(await answer(setup, proof), 'not_signed_in', 'portal');
    const old = key.prove(await challengeOf(setup));
    nowMs += 60_000;
    expectRefusal(await answer(setup, old), 'not_signed_in', 'portal');
    const earlier = key.prove(await challengeOf(setup));
    const after = await restart(setup, { clock: () => nowMs });
    expectRefusal(await answer(after, earlier), 'not_signed_in', 'portal');
  });

  it('to nobody because others ask for many challenges', async () => {
    const { setup, key } = await makeRemembered();
    const proof = key.prove(await challengeOf(setup));
    for (let count = 0; count < 150; count += 1) await challengeOf(setup);
    headersOf(await answer(setup, proof));
  });

  it('to a challenge with another end, or written in another way', async () => {
    const { setup, key } = await makeRemembered();
    const challenge = await challengeOf(setup);
    const [until = '', random = '', mac = ''] = challenge.split('.');
    headersOf(await answer(setup, key.prove(challenge)));
    for (const again of [
      `${challenge}=`,
      `${challenge}.`,
      `0${challenge}`,
      [Number(until) + 60_000, random, mac].join('.'),
      [until, `${random}x`, mac].join('.'),
      [until, random].join('.'),
    ])
      expectRefusal(await answer(setup, key.prove(again)), 'not_signed_in', 'portal');
  });

  it('at another port: a program that listens on ours may pass our challenges on from there', async () => {
    const { setup, key } = await makeRemembered();
    const elsewhere = await restart(setup, { port: 0 });
    expect(elsewhere.port).not.toBe(setup.port);
    expectRefusal(
      await answer(elsewhere, key.prove(await challengeOf(elsewhere))),
      'not_signed_in',
      'portal',
    );
  });

  it('from a foreign origin', async () => {
    const { setup, key } = await makeRemembered();
    const headers = { origin: 'http://127.0.0.1:1' };
    const proof = key.prove(await challengeOf(setup));
    const { status } = await setup.call({ method: 'POST', path: '/portal/sessions', headers, body: proof });
    expect(status).toBe(403);
    headersOf(await answer(setup, proof));
  });
});

describe('only the page of a signed-in browser is remembered', () => {
  it('not a stranger, the command line, a window of the app, or a cookie alone', async () => {
    const setup = await makeSetup();
    const { publicKey } = new Key();
    const browser = await signIn(setup);
    const callers: [Browser['own'], number][] = [
      [{}, 401],
      [{ cookie: browser.cookie }, 401],
      [{ authorization: `Bearer ${setup.service.sessions.portalKey}` }, 400],
      [{ cookie: Object.values(windowCookie(setup)).join('=') }, 400],
    ];
    for (const [own, status] of callers)
      expect((await remember(setup, { ...browser, own }, publicKey)).status).toBe(status);
    expect(new BrowserFile(setup.folder).read()).toEqual([]);
  });

  it('and only with a key of the right curve', async () => {
    const setup = await makeSetup();
    const browser = await signIn(setup);
    await ask(setup, browser.own);
    const wrong = [new Key('P-384').publicKey, 'A'.repeat(122), new Key('secp256k1').publicKey, ''];
    for (const publicKey of wrong) expect((await remember(setup, browser, publicKey)).status).toBe(400);
    expect(new BrowserFile(setup.folder).read()).toEqual([]);
  });
});

describe('the list of browsers', () => {
  it('counts as empty when its file is damaged, and is written anew', async () => {
    const { setup, key } = await makeRemembered();
    writeFileSync(join(setup.folder, 'browsers.json'), '{"format":1,"browsers":[{');
    const after = await restart(setup);
    expectRefusal(await answer(after, key.prove(await challengeOf(after))), 'not_signed_in', 'portal');
    const browser = await signIn(after);
    await ask(after, browser.own);
    expect((await remember(after, browser, key.publicKey)).status).toBe(200);
    expect(new BrowserFile(setup.folder).read().map((known) => known.public_key)).toEqual([key.publicKey]);
  });

  it('on a disk that refuses: nobody is remembered, calls go on, and a sign-out ends the session but says so', async () => {
    let nowMs = Date.now();
    let isFull = false;
    const written: (readonly KnownBrowser[])[] = [];
    const browsers = {
      read: () => [],
      write(list: readonly KnownBrowser[]) {
        if (isFull) throw new StoreUnavailable({ code: 'ENOSPC', path: '/data' });
        written.push(list);
      },
    };
    const { setup, browser } = await makeRemembered({ clock: () => nowMs, browsers });
    isFull = true;
    expect((await remember(setup, browser, new Key().publicKey)).status).toBe(503);
    nowMs += 2 * hourMs;
    expect((await ask(setup, browser.own)).status).toBe(200);
    expect((await signOut(setup, browser.own)).status).toBe(503);
    expectRefusal(await ask(setup, browser.own), 'not_signed_in', 'portal');
    expect(written).toHaveLength(1);
  });

  it('in a database: a key is known once it is stored, and a sign-out is answered once the key is removed', async () => {
    let stored: readonly KnownBrowser[] = [];
    const { promise: held, resolve: goOn } = Promise.withResolvers();
    const calls: (readonly KnownBrowser[])[] = [];
    const browsers = {
      read: () => [],
      write: async (list: readonly KnownBrowser[]) => {
        calls.push(list);
        await held;
        stored = list;
      },
    };
    const setup = await makeSetup({ browsers });
    const browser = await signIn(setup);
    await ask(setup, browser.own);
    const key = new Key();
    const answered: string[] = [];
    const remembering = remember(setup, browser, key.publicKey).then(() => answered.push('remember'));
    await waitFor(() => expect(calls).toHaveLength(1));
    expectRefusal(await answer(setup, key.prove(await challengeOf(setup))), 'not_signed_in', 'portal');
    // While the key is being stored.
    const leaving = signOut(setup, browser.own).then(() => answered.push('sign out'));
    await waitFor(async () => expectRefusal(await ask(setup, browser.own), 'not_signed_in', 'portal'));
    expect(answered).toEqual([]);
    goOn(null);
    await Promise.all([remembering, leaving]);
    expect(calls.map((list) => list.length)).toEqual([1, 0]);
    expect(stored).toEqual([]);
    expectRefusal(await answer(setup, key.prove(await challengeOf(setup))), 'not_signed_in', 'portal');
  });

  it('keeps the hundred that were registered last', async () => {
    const setup = await makeSetup();
    const browser = await signIn(setup);
    await ask(setup, browser.own);
    const keys = Array.from({ length: 102 }, () => new Key());
    for (const { publicKey } of keys) await remember(setup, browser, publicKey);
    const known = new BrowserFile(setup.folder).read().map((one) => one.public_key);
    expect(known).toEqual(keys.slice(2).map(({ publicKey }) => publicKey));
  });
});
