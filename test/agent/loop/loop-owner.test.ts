import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { noon } from '../../fixtures/make-events.ts';
import { type LoopSetup, setUpLoop } from './loop-setup.ts';

const hourMs = 3_600_000;
const nights = { from: '02:00', to: '04:00' };

async function setUpCredential(
  wanted: Record<string, unknown> = {},
  options: Parameters<typeof setUpLoop>[0] = {},
): Promise<LoopSetup> {
  const setup = await setUpLoop(options);
  const { value } = await setup.issue({ validity_days: 7 });
  await setup.keep({ name: 'app', value, ...wanted });
  setup.agent.start();
  return setup;
}

function rotationsOf(setup: LoopSetup): string[] {
  return setup.eventsOf('credential.rotated').map(({ at }) => at);
}

function hourOf(instant: string): number {
  return (Date.parse(instant) % dayMs) / hourMs;
}

/** The time of day, as written in a policy. */
function clockAt(ms: number): string {
  return new Date(ms).toISOString().slice(11, 16);
}

describe('preferred hours', () => {
  it('are when rotations happen, every time', async () => {
    const setup = await setUpCredential({ policy: { preferred_hours: nights } });
    const planned = setup.view('app').planned.slice(0, 4);
    await setup.passUntil(planned.at(-1) ?? '');
    expect(rotationsOf(setup)).toEqual(planned);
    for (const instant of planned) {
      expect(hourOf(instant)).toBeGreaterThanOrEqual(2);
      expect(hourOf(instant)).toBeLessThan(4);
    }
  });

  for (const [direction, movedMinutes] of [
    ['east, so that they come sooner', 600],
    ['west, so that they come later', -600],
  ] as const) {
    it(`move with the zone while a rotation waits for them: ${direction}`, async () => {
      let offsetMinutes = 0;
      const setup = await setUpCredential({}, { zone: () => offsetMinutes });
      const idealMs = Date.parse(setup.view('app').next_rotation_at ?? '');
      await setup.wanted('PATCH', '/credentials/app/policy', {
        preferred_hours: { from: clockAt(idealMs + 12 * hourMs), to: clockAt(idealMs + 13 * hourMs) },
      });
      const here = Date.parse(setup.view('app').next_rotation_at ?? '');
      await setup.passUntil(idealMs);
      offsetMinutes = movedMinutes;
      const there = setup.view('app').next_rotation_at ?? '';
      expect(Date.parse(there)).toBe(here - movedMinutes * 60_000);
      await setup.passUntil(there);
      await setup.pass(dayMs);
      expect(rotationsOf(setup)).toEqual([there]);
    });
  }
});

describe('a change of policy while a rotation is waited for', () => {
  it('moves it at once: sooner, later, into hours, out of them', async () => {
    const setup = await setUpCredential();
    const changes = [
      { fraction: 0.9 },
      { preferred_hours: nights },
      { fraction: 0.3, preferred_hours: null },
    ];
    const announced = [setup.view('app').next_rotation_at];
    for (const change of changes) {
      await setup.wanted('PATCH', '/credentials/app/policy', change);
      announced.push(setup.view('app').next_rotation_at);
    }
    expect(new Set(announced).size).toBe(announced.length);
    const last = announced.at(-1) ?? '';
    await setup.passUntil(Date.parse(last) - 1);
    expect(rotationsOf(setup)).toEqual([]);
    await setup.passUntil(last);
    expect(rotationsOf(setup)).toEqual([last]);
  });

  it('that makes it overdue has it done now', async () => {
    const setup = await setUpCredential();
    await setup.pass(2 * dayMs);
    await setup.wanted('PATCH', '/credentials/app/policy', { fraction: 0.1 });
    expect(setup.view('app').state).toBe('due');
    await setup.pass(0);
    expect(rotationsOf(setup).map((at) => Date.parse(at))).toEqual([noon + 2 * dayMs]);
  });
});

describe('a pause', () => {
  it('with an end delays a rotation that falls into it to that end', async () => {
    const setup = await setUpCredential();
    const until = new Date(noon + 6 * dayMs).toISOString();
    await setup.wanted('POST', '/credentials/app/pause', { until });
    expect(setup.view('app')).toMatchObject({ state: 'paused', next_rotation_at: until });
    await setup.passUntil(Date.parse(until) - 1);
    expect(rotationsOf(setup)).toEqual([]);
    await setup.passUntil(until);
    expect(rotationsOf(setup)).toEqual([until]);
  });

  it('that is over before a rotation is due changes nothing', async () => {
    const setup = await setUpCredential();
    const { next_rotation_at: announced } = setup.view('app');
    await setup.wanted('POST', '/credentials/app/pause', { until: new Date(noon + dayMs).toISOString() });
    expect(setup.view('app').next_rotation_at).toBe(announced);
    await setup.passUntil(announced ?? '');
    expect(rotationsOf(setup)).toEqual([announced]);
  });

  it('without an end lasts until it is resumed, which rotates at once what is due by then', async () => {
    const setup = await setUpCredential();
    await setup.wanted('POST', '/credentials/app/pause');
    expect(setup.view('app')).toMatchObject({ state: 'paused', next_rotation_at: null, planned: [] });
    await setup.pass(6 * dayMs);
    await setup.wake();
    expect(setup.traffic.asked).toBe(0);
    await setup.wanted('POST', '/credentials/app/resume');
    await setup.pass(0);
    expect(rotationsOf(setup).map((at) => Date.parse(at))).toEqual([noon + 6 * dayMs]);
    expect(setup.view('app').state).toBe('fine');
  });

  it('does not stop a rotation that was begun before it', async () => {
    const setup = await setUpLoop();
    const proxy = await startFaultyProxy(() => setup.baseUrl);
    // The service acts and its answer is lost: the old token no longer works.
    proxy.faults.push('drop_reply');
    const { value } = await setup.issue({ validity_days: 7 });
    await setup.keep({ name: 'app', value, base_url: proxy.baseUrl });
    setup.agent.start();
    await setup.passUntil(setup.view('app').next_rotation_at ?? '');
    expect(await setup.tryValue(value)).toBe(401);
    await setup.wanted('POST', '/credentials/app/pause');
    const { state, next_rotation_at: next } = setup.view('app');
    expect(state).toBe('failing');
    await setup.passUntil(next ?? '');
    expect(setup.view('app')).toMatchObject({ state: 'paused', generation: 2, paused: { until: null } });
    expect(await setup.tryValue((await setup.valueOf('app')) ?? 'none')).toBe(200);
  });

  it('does not keep the owner from rotating now, and stays', async () => {
    const setup = await setUpCredential();
    await setup.wanted('POST', '/credentials/app/pause');
    await setup.wanted('POST', '/credentials/app/rotate');
    await setup.pass(6 * dayMs);
    expect(setup.view('app')).toMatchObject({ state: 'paused', generation: 2, next_rotation_at: null });
    expect(setup.traffic.asked).toBe(1);
    expect(setup.eventsOf('credential.rotation_begun')).toMatchObject([{ actor: { kind: 'owner' } }]);
  });
});

describe('a rotation that the owner asks for', () => {
  it('counts like any other: the next one is planned from it', async () => {
    const setup = await setUpCredential();
    await setup.pass(4 * dayMs);
    await setup.wanted('POST', '/credentials/app/rotate');
    const { next_rotation_at: announced, obtained_at: obtained } = setup.view('app');
    expect(Date.parse(obtained)).toBe(noon + 4 * dayMs);
    await setup.passUntil(Date.parse(announced ?? '') - 1);
    expect(setup.traffic.asked).toBe(1);
    await setup.passUntil(announced ?? '');
    expect(rotationsOf(setup).slice(1)).toEqual([announced]);
  });
});
