import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { viewCredential } from '../../../src/core/credential/view-credential.ts';
import { credentialNamed } from '../../../src/core/credential/find-credential.ts';
import { credentialProblemText } from '../../../src/text/credential/credentials.ts';
import { credentialRefusalText } from '../../../src/text/credential/credential-refusal-text.ts';
import { startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { setUpAgent } from '../agent-setup.ts';
import { type LoopSetup, setUpLoop } from './loop-setup.ts';

const minuteMs = 60_000;

/** Three credentials of a service that limits calls, and one of another; all tokens last a week. */
async function setUp() {
  const here = await setUpLoop();
  const there = await setUpAgent({ time: here.time });
  const limiting = await startFaultyProxy(() => there.baseUrl);
  const healthy = await startFaultyProxy(() => there.baseUrl);
  limiting.meets = () => true;
  const names = ['first', 'second', 'third'];
  for (const name of names) {
    await here.keep({ name, value: (await there.issue()).value, base_url: limiting.baseUrl });
  }
  await here.keep({ name: 'other', value: (await there.issue()).value, base_url: healthy.baseUrl });
  limiting.seen.length = 0;
  const tooMany = (minutes: number) => ({ status: 429, headers: { 'retry-after': `${minutes * 60}` } });
  return { here, there, limiting, healthy, names, tooMany };
}

function viewed({ store, agent, time, baseUrl }: LoopSetup, name: string) {
  const credential = credentialNamed(store.state, name);
  if (credential === undefined) throw new Error(`There is no ${name}`);
  return viewCredential(store.state, credential, {
    nowMs: time.nowMs,
    zone: () => 0,
    embeddedUrl: baseUrl,
    describe: credentialProblemText,
    holdOf: (one) => agent.requests.holdOf(one),
  });
}

describe('a service that answers one credential that it gets too many calls', () => {
  it('is not called about any other until then, and another service is', async () => {
    const { here, limiting, names, tooMany } = await setUp();
    limiting.otherwise = tooMany(5);
    here.time.jump(6 * dayMs);
    const failed = here.next('credential.rotation_failed');
    expect(await here.agent.requests.rotateNow('first')).toMatchObject({ ok: true });
    await failed;
    limiting.otherwise = 'none';
    const untilMs = here.time.nowMs + 5 * minuteMs;
    const until = new Date(untilMs).toISOString();
    expect(limiting.seen).toHaveLength(1);

    const other = here.next('credential.rotated');
    here.agent.start();
    await here.time.advance(0);
    expect((await other).subject).toBe('cred_other');
    for (let minute = 0; minute < 4; minute += 1) await here.time.advance(minuteMs);
    expect(limiting.seen).toHaveLength(1);
    expect(viewed(here, 'second')).toMatchObject({
      state: 'due',
      next_rotation_at: until,
      service_waits_until: until,
      service_asks_until: until,
      planned: expect.arrayContaining([until]) as unknown,
      message: `${limiting.baseUrl} got too many calls and asks to wait until ${until}. Rotavox rotates after that.`,
    });
    expect(viewed(here, 'first').trouble?.next_try_at).not.toBeNull();

    await here.time.advance(minuteMs);
    await here.until(() => here.eventsOf('credential.rotated').length === names.length);
    expect(viewed(here, 'second')).not.toHaveProperty('service_waits_until');
  });

  it.each([
    ['longer than a day', '604800', 7 * 24 * 60, 24 * 60, 'Rotavox waits for a day at most, until '],
    ['a time with parts of a second', '90.2', 90.2 / 60, 90.2 / 60, 'Rotavox rotates after that.'],
    ['two times in one header', '30, 60', 1, 1, 'Rotavox rotates after that.'],
    ['nothing', undefined, null, 1, 'does not say how long to wait. Rotavox waits until '],
  ])('is quoted with what it asks for: %s', async (_what, header, askedMinutes, minutes, words) => {
    const { here, limiting } = await setUp();
    limiting.otherwise = { status: 429, headers: header === undefined ? {} : { 'retry-after': header } };
    here.time.jump(6 * dayMs);
    await here.agent.requests.rotateNow('first');
    const after = (span: number) => new Date(here.time.nowMs + Math.ceil(span * minuteMs)).toISOString();
    const asked = askedMinutes === null ? null : after(askedMinutes);
    const second = viewed(here, 'second');
    expect(second).toMatchObject({ service_waits_until: after(minutes) });
    expect(second.service_asks_until ?? null).toBe(asked);
    expect(second.message).toContain(words);
    if (asked === null) return;
    expect(second.message).toContain(`got too many calls and asks to wait until ${asked}.`);
    expect(viewed(here, 'first').trouble?.message).toContain(`It asks to wait until ${asked}.`);
  });

  it('is not called for a person either, who is told until when', async () => {
    const { here, there, limiting, tooMany } = await setUp();
    limiting.otherwise = tooMany(5);
    await here.agent.requests.rotateNow('first');
    limiting.otherwise = 'none';
    limiting.seen.length = 0;
    const until = new Date(here.time.nowMs + 5 * minuteMs).toISOString();
    const waits = `${limiting.baseUrl} got too many calls and asks to wait until ${until}.`;

    const rotated = await here.agent.requests.rotateNow('second');
    expect(rotated.ok ? '' : credentialRefusalText(rotated.refusal.reason)).toBe(
      `${waits} Nothing was sent: rotate again after that, or wait for the planned rotation.`,
    );
    const tested = await here.agent.requests.testCredential('second');
    expect(tested).toMatchObject({ ok: true, value: { outcome: 'unreachable' } });
    expect(tested.ok ? tested.value.message : '').toContain(waits);
    const { value } = await there.issue();
    const pasted = await here.agent.requests.testConnection({ value, base_url: limiting.baseUrl });
    expect(pasted).toMatchObject({ outcome: 'unreachable' });
    expect(pasted.message).toContain(`${waits} Nothing was sent.`);
    expect(limiting.seen).toEqual([]);
    expect(here.eventsOf('credential.rotation_failed')).toHaveLength(1);

    here.time.jump(5 * minuteMs);
    expect(await here.agent.requests.rotateNow('second')).toMatchObject({ ok: true });
    expect(viewed(here, 'second')).toMatchObject({ state: 'fine', generation: 2 });
  });

  it('is called once for a token that would end before that, when half of the time that it had left is over', async () => {
    const { here, there, limiting, tooMany } = await setUp();
    const ends = {
      validity_days: 7,
      expires_at: new Date(here.time.nowMs + 6 * dayMs + 10 * minuteMs).toISOString(),
    };
    await here.keep({ name: 'ending', value: (await there.issue(ends)).value, base_url: limiting.baseUrl });
    limiting.otherwise = tooMany(60);
    here.time.jump(6 * dayMs);
    await here.agent.requests.rotateNow('first');
    limiting.otherwise = 'none';
    limiting.seen.length = 0;
    here.agent.start();
    await here.time.advance(4 * minuteMs);
    expect(limiting.seen).toEqual([]);
    const rotated = here.next('credential.rotated');
    await here.time.advance(minuteMs);
    await here.until(() =>
      here.eventsOf('credential.rotated').some(({ subject }) => subject === 'cred_ending'),
    );
    await rotated;
    expect(new Set(limiting.seen.map(({ path }) => path))).toEqual(
      new Set(['/v1/auth/rotate', '/v1/auth/token']),
    );
    expect(viewed(here, 'ending')).toMatchObject({ state: 'fine', generation: 2 });
    expect(viewed(here, 'second').generation).toBe(1);
  });
});
