import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { noon } from '../../fixtures/make-events.ts';
import { setUpLoop } from './loop-setup.ts';

const lives: [string, Record<string, unknown>][] = [
  ['1 day', { validity_days: 1 }],
  ['7 days', { validity_days: 7 }],
  ['15 days', { validity_days: 15 }],
  ['30 days', { validity_days: 30 }],
  ['90 days', { validity_days: 90 }],
  ['10 seconds', { validity_days: 1, expires_at: new Date(noon + 10_000).toISOString() }],
];

describe('a credential that is left alone', () => {
  for (const [name, configuration] of lives) {
    it(`is replaced before it expires, at the announced instant, again and again: ${name}`, async () => {
      const setup = await setUpLoop();
      const { value } = await setup.issue(configuration);
      const id = await setup.keep({ name: 'app', value });
      setup.agent.start();

      const values = [value];
      for (const generation of [1, 2, 3]) {
        const { next_rotation_at: announced, expires_at: end } = setup.view('app');
        if (announced === null) throw new Error('No rotation is announced');
        expect(Date.parse(announced)).toBeLessThan(Date.parse(end));
        await setup.passUntil(Date.parse(announced) - 1);
        expect(setup.view('app')).toMatchObject({ generation, state: 'fine' });
        await setup.passUntil(announced);
        expect(setup.view('app')).toMatchObject({ generation: generation + 1, last_rotated_at: announced });
        values.push((await setup.valueOf('app')) ?? 'none');
      }

      expect(setup.statusesOf('app')).toEqual(['Superseded', 'Superseded', 'Superseded', 'Active']);
      const answers = await Promise.all(values.map((one) => setup.tryValue(one)));
      expect(answers).toEqual([401, 401, 401, 200]);
      expect(setup.traffic.asked).toBe(3);
      expect(setup.eventsOf('credential.rotation_begun', id)).toHaveLength(3);
      expect(setup.failures).toEqual([]);
    });
  }

  it(
    'is planned as it then happens, for a month and many kinds of lifetime',
    { tags: ['long'] },
    async () => {
      const setup = await setUpLoop();
      const hours = { from: '22:30', to: '04:00' };
      const kinds: [string, Record<string, unknown>, Record<string, unknown>?][] = [
        ['day', { validity_days: 1 }],
        ['week', { validity_days: 7 }],
        ['nightly', { validity_days: 7 }, { preferred_hours: hours }],
        ['nightly-day', { validity_days: 1 }, { preferred_hours: hours }],
        ['early', { validity_days: 15 }, { fraction: 0.1 }],
        ['month', { validity_days: 30 }, { fraction: 0.9 }],
        ['short', { validity_days: 1, expires_at: new Date(noon + 10_000).toISOString() }],
      ];
      for (const [name, configuration, policy] of kinds) {
        const { value } = await setup.issue(configuration);
        await setup.keep({ name, value, ...(policy === undefined ? {} : { policy }) });
      }
      const end = new Date(noon + 30 * dayMs).toISOString();
      const planned = kinds.map(([name]) => setup.view(name).planned.filter((instant) => instant <= end));
      setup.agent.start();
      await setup.passUntil(end);
      const happened = kinds.map(([name]) =>
        setup.eventsOf('credential.rotated', setup.view(name).id).map(({ at }) => at),
      );
      expect(happened).toEqual(planned);
      expect(planned.map(({ length }) => length > 0)).toEqual(kinds.map(() => true));
    },
  );
});

describe('what the loop costs while nothing happens', () => {
  it('is nothing before it is started, and nothing without a credential', async () => {
    const setup = await setUpLoop();
    const { value } = await setup.issue({ validity_days: 1 });
    await setup.keep({ name: 'app', value });
    expect(setup.time.waiting).toBe(0);
    await setup.pass(dayMs);
    expect(setup.traffic.asked).toBe(0);

    setup.agent.start();
    expect(setup.time.waiting).toBe(1);
    await setup.agent.requests.remove('app');
    expect(setup.time.waiting).toBe(0);
    const { wakeUps } = setup.time;
    await setup.pass(dayMs);
    expect(setup.time.wakeUps).toBe(wakeUps);
  });

  it('is one check a minute for a lifetime of 90 days, and no call before its time', async () => {
    const setup = await setUpLoop();
    const { value } = await setup.issue({ validity_days: 90 });
    await setup.keep({ name: 'app', value });
    setup.agent.start();
    const dueMs = Date.parse(setup.view('app').next_rotation_at ?? '');
    const before = setup.events.length;
    await setup.passUntil(dueMs - 1);
    expect(setup.time.wakeUps).toBeLessThanOrEqual((dueMs - noon) / 60_000);
    expect(setup.events).toHaveLength(before);
    expect(setup.traffic.asked).toBe(0);
    expect(setup.time.waiting).toBe(1);
  });

  it('is one check a minute, too, for one that waits for a person', async () => {
    const setup = await setUpLoop();
    const { value, id } = await setup.issue({ validity_days: 7 });
    await setup.keep({ name: 'app', value });
    await setup.wanted('POST', `/tokens/${id}/blacklist`);
    setup.agent.start();
    await setup.pass(5 * dayMs);
    expect(setup.view('app')).toMatchObject({ state: 'refused', next_rotation_at: null });
    const { wakeUps } = setup.time;
    await setup.pass(dayMs);
    expect(setup.time.wakeUps - wakeUps).toBeLessThanOrEqual(dayMs / 60_000);
    // Its state is known here, so no call is needed.
    expect(setup.traffic.asked).toBe(0);
  });
});
