import { describe, expect, it } from 'vitest';
import { pageKeyHeader } from '../../../src/contract/address.ts';
import { sessionIdleHours } from '../../../src/contract/service/portal.ts';
import { makeSetup, ask, signIn, signOut, windowCookie, expectRefusal, openStream } from './attack-setup.ts';

const hourMs = 3_600_000;

describe("a browser's cookie, which every port of 127.0.0.1 is sent", () => {
  const paths = [
    '/portal/status',
    '/portal/tokens',
    '/portal/events',
    '/portal/history/export?format=json',
    '/portal/extensions/export',
    '/portal/recordings/rec_1/audio',
  ];

  it('opens nothing automatically, neither before the page has asked for anything nor afterwards', async () => {
    const setup = await makeSetup();
    const { cookie, own } = await signIn(setup);
    for (const path of paths) expectRefusal(await ask(setup, { cookie }, path), 'not_signed_in', 'portal');
    expect((await ask(setup, own)).status).toBe(200);
    for (const path of paths) expectRefusal(await ask(setup, { cookie }, path), 'not_signed_in', 'portal');
    const issue = { method: 'POST', path: '/portal/tokens', body: { name: 'a', validity_days: 7 } };
    expectRefusal(await setup.call({ ...issue, headers: { cookie } }), 'not_signed_in', 'portal');
    expectRefusal(await signOut(setup, { cookie }), 'not_signed_in', 'portal');
    expect((await ask(setup, own)).status).toBe(200);
  });

  it('opens nothing with a page key that was made up, of another session, or of a code that is used', async () => {
    const setup = await makeSetup();
    const { cookie, pageCode, own } = await signIn(setup);
    const other = await signIn(setup);
    const isRefused = async (pageKey: string): Promise<void> => {
      expectRefusal(await ask(setup, { cookie, [pageKeyHeader]: pageKey }), 'not_signed_in', 'portal');
    };
    for (const pageKey of ['', '.', 'guess', `${other.pageCode}.x`, `x.${pageCode}`])
      await isRefused(pageKey);
    expect((await ask(setup, own)).status).toBe(200);
    for (const pageKey of [pageCode, `${pageCode}.`, `${pageCode}.other`, `${other.pageCode}.x`])
      await isRefused(pageKey);
    expectRefusal(await ask(setup, { [pageKeyHeader]: own[pageKeyHeader]! }), 'not_signed_in', 'portal');
    expect((await ask(setup, other.own)).status).toBe(200);
  });

  it('is enough for a client that is no browser, and for the windows of the desktop app', async () => {
    const setup = await makeSetup();
    const code = setup.service.sessions.createCode();
    const { headers } = await setup.call({
      method: 'GET',
      path: `/?code=${code}`,
      headers: { accept: '*/*' },
    });
    expect(headers.location).toBe('/');
    const [cookie = ''] = String(headers['set-cookie']).split(';');
    expect((await ask(setup, { cookie })).status).toBe(200);
    const { name, value } = windowCookie(setup);
    expect((await ask(setup, { cookie: `${name}=${value}` })).status).toBe(200);
  });
});

describe("a browser's session", () => {
  it('ends some hours after its last call, those of the app never', async () => {
    let nowMs = Date.now();
    const setup = await makeSetup({ clock: () => nowMs });
    const { own } = await signIn(setup);
    const { name, value } = windowCookie(setup);
    for (let round = 0; round < 3; round += 1) {
      expect((await ask(setup, own)).status).toBe(200);
      nowMs += sessionIdleHours * hourMs - 1;
    }
    expect((await ask(setup, own)).status).toBe(200);
    nowMs += sessionIdleHours * hourMs;
    expectRefusal(await ask(setup, own), 'not_signed_in', 'portal');
    expect((await ask(setup, { cookie: `${name}=${value}` })).status).toBe(200);
  });

  it('continues while its page listens to the stream of changes', async () => {
    let nowMs = Date.now();
    const setup = await makeSetup({ clock: () => nowMs });
    const { own } = await signIn(setup);
    const stream = await openStream(setup, own);
    nowMs += 10 * sessionIdleHours * hourMs;
    expect((await ask(setup, own)).status).toBe(200);
    stream.socket.destroy();
    await stream.closed();
  });

  it('ends after five minutes when its page never asked for anything', async () => {
    let nowMs = Date.now();
    const setup = await makeSetup({ clock: () => nowMs });
    const { own } = await signIn(setup);
    nowMs += 300_000;
    expectRefusal(await ask(setup, own), 'not_signed_in', 'portal');
  });
});

describe('signing out', () => {
  it('ends the session and its streams at once, takes the cookie away, and leaves other browsers in', async () => {
    const setup = await makeSetup();
    const [mine, other] = [await signIn(setup), await signIn(setup)];
    const streams = [await openStream(setup, mine.own), await openStream(setup, mine.own)];
    const otherStream = await openStream(setup, other.own);
    const { status, headers, text } = await signOut(setup, mine.own);
    expect([status, JSON.parse(text)]).toEqual([200, { signed_out: 1 }]);
    expect(String(headers['set-cookie'])).toMatch(
      new RegExp(`^${setup.cookieName}=; .*Expires=Thu, 01 Jan 1970`),
    );
    await Promise.all(streams.map((stream) => stream.closed()));
    expectRefusal(await ask(setup, mine.own), 'not_signed_in', 'portal');
    expect((await ask(setup, other.own)).status).toBe(200);
    expect(otherStream.socket.closed).toBe(false);
  });

  it('of all browsers ends every session but those of the app, whichever asks', async () => {
    const setup = await makeSetup();
    const { name, value } = windowCookie(setup);
    const appWindow = { cookie: `${name}=${value}` };
    const browsers = [await signIn(setup), await signIn(setup), await signIn(setup)];
    const [first] = browsers;
    const fromBrowser = await signOut(setup, first!.own, true);
    expect(JSON.parse(fromBrowser.text)).toEqual({ signed_out: 3 });
    for (const { own } of browsers) expectRefusal(await ask(setup, own), 'not_signed_in', 'portal');

    const { own } = await signIn(setup);
    const fromApp = await signOut(setup, appWindow, true);
    expect(JSON.parse(fromApp.text)).toEqual({ signed_out: 1 });
    expect(fromApp.headers['set-cookie']).toBeUndefined();
    expectRefusal(await ask(setup, own), 'not_signed_in', 'portal');
    expect((await ask(setup, appWindow)).status).toBe(200);
  });

  it('ends nothing for the app and for the portal key when they ask for themselves only', async () => {
    const setup = await makeSetup();
    const { name, value } = windowCookie(setup);
    const { own } = await signIn(setup);
    for (const headers of [
      { cookie: `${name}=${value}` },
      { authorization: `Bearer ${setup.service.sessions.portalKey}` },
    ]) {
      const { status, headers: answered, text } = await signOut(setup, headers);
      expect([status, JSON.parse(text), answered['set-cookie']]).toEqual([200, { signed_out: 0 }, undefined]);
      expect((await ask(setup, headers)).status).toBe(200);
    }
    expect((await ask(setup, own)).status).toBe(200);
  });
});
