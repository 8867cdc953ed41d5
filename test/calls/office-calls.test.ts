/**
 * Random call flows of offices (opening hours, messages, keys of several digits, direct dial, ring groups, outside numbers, sounds of the
 * telephone system) at random instants and with what is set by hand: live calls, calls of the export on a real Asterisk and the simulator
 * agree.
 *
 * `ROTAVOX_SEED` repeats a run; a failure names its seed.
 */
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Ivr, IvrId } from '../../src/contract/menu/ivr.ts';
import { defaultDestinationRules } from '../../src/contract/calls/pbx.ts';
import type { FlowPart, FlowPartId, Schedule, ScheduleId } from '../../src/contract/menu/schedule.ts';
import { flowOfStored } from '../../src/core/calls/flow-of-stored.ts';
import { wavFile } from '../fixtures/audio-files.ts';
import { type ExportedFlow, installExports } from '../fixtures/exported-calls.ts';
import {
  entries,
  officeCountry,
  officeFlow,
  officeNumbers,
  officeSchedule,
  officeSounds,
  officeSwitch,
} from '../fixtures/office-arbitraries.ts';
import { AsteriskCallers } from '../tools/asterisk-callers.ts';
import { startAsterisk } from '../tools/asterisk.ts';
import { agreeOn, liveDialplan } from './agreeing-calls.ts';
import { CallHost } from './call-host.ts';

const seed = Number(process.env['ROTAVOX_SEED'] ?? Date.now());

const schedules = 10;
const outside = { countries: [officeCountry], perHour: 1000 };

/** So many calls, each of another flow, from some seconds before the hours of many schedules change. */
async function agreeAt(at: Date, count: number, runSeed: number): Promise<void> {
  const offset = at.getTime() - Date.now();
  const clock = (): number => Date.now() + offset;
  const host = new CallHost();
  onTestFinished(() => host.remove());
  await host.start({ clock });
  onTestFinished(() => host.close());
  const asterisk = await startAsterisk({
    modules: ['chan_bridge_media', 'func_dialplan', 'func_db'],
    extensions: liveDialplan,
    startsAt: at,
    sounds: Object.fromEntries(officeSounds.map((sound) => [`${sound}.wav`, wavFile(100)])),
  });
  onTestFinished(() => asterisk.close());
  await host.addPbx(asterisk);
  const callers = await AsteriskCallers.connect(asterisk);
  onTestFinished(() => callers.close());

  for (const id of ['11', '12', '13']) await host.addRecording(id, 0.1);
  await host.ask('changeExtensions', { body: { set: officeNumbers.map((id) => ({ id, name: id })) } });
  await host.ask('changeSettings', {
    body: { outside_countries: outside.countries, outside_calls_per_hour: outside.perHour },
  });
  const sample = <T>(of: fc.Arbitrary<T>, numRuns: number): T[] => fc.sample(of, { numRuns, seed: runSeed });
  const ids: ScheduleId[] = [];
  for (const [place, one] of sample(officeSchedule(at), schedules).entries()) {
    const { id } = await host.ask('createSchedule', { body: { ...one, name: `Hours ${place}` } });
    ids.push(id);
  }
  for (const [place, body] of sample(officeSwitch(at), schedules).entries())
    await host.ask('setSwitch', { params: { id: ids[place]! }, body });

  const firsts: string[] = [];
  for (const document of sample(officeFlow(ids), count)) firsts.push(await host.publish(document));
  const stored = await storedIn(host);
  const exported = firsts.map((id): ExportedFlow => ({
    name: id,
    flow: flowOfStored(stored.ivrs, id, stored)!,
  }));
  const site = { rules: defaultDestinationRules, recordings: new Set(['11', '12', '13']), outside };
  await installExports(asterisk, exported, liveDialplan, site);
  expect(await asterisk.log()).not.toMatch(/WARNING|ERROR/);

  const scripts = sample(entries, count);
  const reached = await agreeOn(
    exported.map((one, place) => ({
      exported: one,
      entries: scripts[place]!,
      note: `seed ${runSeed}, ${at.toISOString()}, flow ${place}: ${scripts[place]!.join(' ')}`,
    })),
    // So few that some calls begin before the hours change, and some after.
    { host, callers, clock, outside, switches: stored.switches, atATime: 20 },
  );
  expect(reached.size).toBeGreaterThan(2);
}

async function storedIn(host: CallHost) {
  const { ivrs, parts = [] } = await host.ask('portalListIvrs');
  const { schedules: all } = await host.ask('listSchedules');
  return {
    ivrs: new Map<IvrId, Ivr>(ivrs.map((ivr) => [ivr.id, ivr])),
    flowParts: new Map<FlowPartId, FlowPart>(parts.map((part) => [part.id, part])),
    schedules: new Map<ScheduleId, Schedule>(all.map((one) => [one.id, one])),
    switches: new Map(all.map(({ id, switch: { to, until } }) => [id, { to, until }])),
    extensions: new Map(officeNumbers.map((id) => [id, {}])),
  };
}

test('calls of offices are the same live, in their export and in the simulator', () =>
  agreeAt(new Date('2026-11-30T06:59:50Z'), 10, seed));

/** Around midnight of a holiday, in hours that are left out or come twice, and anywhere else. */
const instants: readonly string[] = [
  '2026-12-24T22:59:50Z',
  '2026-03-29T00:59:50Z',
  '2026-11-01T05:59:50Z',
  '2027-04-03T14:59:50Z',
  '2028-02-28T23:29:50Z',
];

/** A moment before. */
const anyHalfHour = fc
  .integer({ min: 0, max: 4 * 365 * 48 })
  .map((count) => new Date(Date.parse('2026-01-01T00:29:50Z') + count * 1_800_000));

test.each([...instants, 'anywhere', 'anywhere else'])(
  'hundreds of calls of offices are the same live, in their export and in the simulator (%s)',
  { tags: ['long'] },
  (when) => {
    const runSeed = seed + when.length;
    const [at] = instants.includes(when)
      ? [new Date(when)]
      : fc.sample(anyHalfHour, { numRuns: 1, seed: runSeed });
    return agreeAt(at!, 72, runSeed);
  },
);
