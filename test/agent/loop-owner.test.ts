import { describe, expect, it } from 'vitest';
import { dayMs } from '../../src/core/token/token.ts';
import { startFaultyProxy } from '../fakes/faulty-proxy.ts';
import { noon } from '../fixtures/make-events.ts';
import { type LoopSetup, setUpLoop } from './loop-setup.ts';

const hourMs = 3_600_000;
const nights = { from: '02:00', to: '04:00' };

async function startKeeping(
  wanted: Record<string, unknown> = {},
  options: Parameters<typeof setUpLoop>[0] = {},
): Promise<LoopSetup> {
  const ground = await setUpLoop(options);
  const { value } = await ground.issue({ validity_days: 7 });
  await ground.keep({ name: 'app', value, ...wanted });
  ground.agent.start();
  return ground;
}

function rotationsOf(ground: LoopSetup): string[] {
  return ground.eventsOf('credential.rotated').map(({ at }) => at);
}

function hourOf(instant: string): number {
  return (Date.parse(instant) % dayMs) / hourMs;
}

/** The time of day, as a policy names it. */
function clockAt(ms: number): string {
  return new Date(ms).toISOString().slice(11, 16);
}

describe('preferred hours', () => {
  it('are when rotations happen, every time', async () => {
    const ground = await startKeeping({ policy: { preferred_hours: nights } });
    const planned = ground.view('app').planned.slice(0, 4);
    await ground.passUntil(planned.at(-1) ?? '');
    expect(rotationsOf(ground)).toEqual(planned);
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
      const ground = await startKeeping({}, { zone: () => offsetMinutes });
      const idealMs = Date.parse(ground.view('app').next_rotation_at ?? '');
      await ground.wanted('PATCH', '/credentials/app/policy', {
        preferred_hours: { from: clockAt(idealMs + 12 * hourMs), to: clockAt(idealMs + 13 * hourMs) },
      });
      const here = Date.parse(ground.view('app').next_rotation_at ?? '');
      await ground.passUntil(idealMs);
      offsetMinutes = movedMinutes;
      const there = ground.view('app').next_rotation_at ?? '';
      expect(Date.parse(there)).toBe(here - movedMinutes * 60_000);
      await ground.passUntil(there);
      await ground.pass(dayMs);
      expect(rotationsOf(ground)).toEqual([there]);
    });
  }
});

describe('a change of policy while a rotation is waited for', () => {
  it('moves it at once: sooner, later, into hours, out of them', async () => {
    const ground = await startKeeping();
    const changes = [
      { fraction: 0.9 },
      { preferred_hours: nights },
      { fraction: 0.3, preferred_hours: null },
    ];
    const announced = [ground.view('app').next_rotation_at];
    for (const change of changes) {
      await ground.wanted('PATCH', '/credentials/app/policy', change);
      announced.push(ground.view('app').next_rotation_at);
    }
    expect(new Set(announced).size).toBe(announced.length);
    const last = announced.at(-1) ?? '';
    await ground.passUntil(Date.parse(last) - 1);
    expect(rotationsOf(ground)).toEqual([]);
    await ground.passUntil(last);
    expect(rotationsOf(ground)).toEqual([last]);
  });

  it('that makes it overdue has it done now', async () => {
    const ground = await startKeeping();
    await ground.pass(2 * dayMs);
    await ground.wanted('PATCH', '/credentials/app/policy', { fraction: 0.1 });
    expect(ground.view('app').state).toBe('due');
    await ground.pass(0);
    expect(rotationsOf(ground).map((at) => Date.parse(at))).toEqual([noon + 2 * dayMs]);
  });
});

describe('a pause', () => {
  it('with an end delays a rotation that falls into it to that end', async () => {
    const ground = await startKeeping();
    const until = new Date(noon + 6 * dayMs).toISOString();
    await ground.wanted('POST', '/credentials/app/pause', { until });
    expect(ground.view('app')).toMatchObject({ state: 'paused', next_rotation_at: until });
    await ground.passUntil(Date.parse(until) - 1);
    expect(rotationsOf(ground)).toEqual([]);
    await ground.passUntil(until);
    expect(rotationsOf(ground)).toEqual([until]);
  });

  it('that is over before a rotation is due changes nothing', async () => {
    const ground = await startKeeping();
    const { next_rotation_at: announced } = ground.view('app');
    await ground.wanted('POST', '/credentials/app/pause', { until: new Date(noon + dayMs).toISOString() });
    expect(ground.view('app').next_rotation_at).toBe(announced);
    await ground.passUntil(announced ?? '');
    expect(rotationsOf(ground)).toEqual([announced]);
  });

  it('without an end lasts until it is resumed, which rotates at once what is due by then', async () => {
    const ground = await startKeeping();
    await ground.wanted('POST', '/credentials/app/pause');
    expect(ground.view('app')).toMatchObject({ state: 'paused', next_rotation_at: null, planned: [] });
    await ground.pass(6 * dayMs);
    await ground.wake();
    expect(ground.traffic.asked).toBe(0);
    await ground.wanted('POST', '/credentials/app/resume');
    await ground.pass(0);
    expect(rotationsOf(ground).map((at) => Date.parse(at))).toEqual([noon + 6 * dayMs]);
    expect(ground.view('app').state).toBe('fine');
  });

  it('does not stop a rotation that was begun before it', async () => {
    const ground = await setUpLoop();
    const proxy = await startFaultyProxy(() => ground.baseUrl);
    // The service acts and nobody hears of it: the old value is dead from now on.
    proxy.faults.push('drop_reply');
    const { value } = await ground.issue({ validity_days: 7 });
    await ground.keep({ name: 'app', value, base_url: proxy.baseUrl });
    ground.agent.start();
    await ground.passUntil(ground.view('app').next_rotation_at ?? '');
    expect(await ground.tryValue(value)).toBe(401);
    await ground.wanted('POST', '/credentials/app/pause');
    const { state, next_rotation_at: next } = ground.view('app');
    expect(state).toBe('failing');
    await ground.passUntil(next ?? '');
    expect(ground.view('app')).toMatchObject({ state: 'paused', generation: 2, paused: { until: null } });
    expect(await ground.tryValue((await ground.valueOf('app')) ?? 'none')).toBe(200);
  });

  it('does not keep the owner from rotating now, and stays', async () => {
    const ground = await startKeeping();
    await ground.wanted('POST', '/credentials/app/pause');
    await ground.wanted('POST', '/credentials/app/rotate');
    await ground.pass(6 * dayMs);
    expect(ground.view('app')).toMatchObject({ state: 'paused', generation: 2, next_rotation_at: null });
    expect(ground.traffic.asked).toBe(1);
    expect(ground.eventsOf('credential.rotation_begun')).toMatchObject([{ actor: { kind: 'owner' } }]);
  });
});

describe('a rotation that the owner asks for', () => {
  it('counts like any other: the next one is planned from it', async () => {
    const ground = await startKeeping();
    await ground.pass(4 * dayMs);
    await ground.wanted('POST', '/credentials/app/rotate');
    const { next_rotation_at: announced, obtained_at: obtained } = ground.view('app');
    expect(Date.parse(obtained)).toBe(noon + 4 * dayMs);
    await ground.passUntil(Date.parse(announced ?? '') - 1);
    expect(ground.traffic.asked).toBe(1);
    await ground.passUntil(announced ?? '');
    expect(rotationsOf(ground).slice(1)).toEqual([announced]);
  });
});
