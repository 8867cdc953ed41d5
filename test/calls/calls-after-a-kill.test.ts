import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { recordFileName } from '../../src/calls/call-log.ts';
import { leaseSeconds } from '../../src/core/calls/asterisk-lines.ts';
import { AsteriskCallers } from '../tools/asterisk-callers.ts';
import { CallHost, startReception } from './call-host.ts';

/** A host in a process of its own, with a menu that waits for a minute. */
async function startKillable() {
  const host = new CallHost();
  onTestFinished(() => host.remove());
  await host.start({ inProcess: false });
  onTestFinished(() => host.kill());
  const { asterisk, place, ivr } = await startReception(host, { body: { timeout: 60 } });
  onTestFinished(() => asterisk.close());
  await host.addPbx(asterisk);
  const callers = await AsteriskCallers.connect(asterisk);
  onTestFinished(() => callers.close());
  return { host, callers, place, ivr };
}

/** A lease as it may be when the program is killed: it is renewed every five seconds. */
const shortestLeaseMs = (leaseSeconds - 6) * 1000;

/**
 * A call that pressed a key, and one whose caller left while the program was killed and started again.
 *
 * Again with other calls, where the start took so long on a busy machine that Asterisk has given the call to its fallback, as it should.
 */
async function interrupted({
  host,
  callers,
  place,
}: Pick<Awaited<ReturnType<typeof startKillable>>, 'host' | 'callers' | 'place'>) {
  for (let attempt = 1; ; attempt += 1) {
    const caller = await callers.call(place);
    const { id } = await host.liveCall(({ doing }) => doing === 'waiting');
    await caller.press('7');
    await host.liveCall(({ keys, doing }) => keys.length === 1 && doing === 'waiting');
    const gone = await callers.call(place);
    const { id: goneId } = await host.liveCall((call) => call.id !== id && call.doing === 'waiting');
    await host.load();
    const killedAt = performance.now();
    await host.kill();
    await gone.hangUp();
    await host.start({ inProcess: false });
    const { isLive } = await host.until(async () => {
      if (host.live.has(id)) return { isLive: true };
      const ended = await host.ask('readCall', { params: { id } }).catch(() => null);
      return ended === null ? null : { isLive: false };
    });
    const isLate = performance.now() - killedAt > shortestLeaseMs;
    if (isLive || !isLate || attempt === 5) return { caller, id, goneId };
    await caller.hangUp();
  }
}

test(
  'a call goes on in its menu after the program was killed, and then reaches its destination',
  { tags: ['long'] },
  async () => {
    const { host, callers, place, ivr } = await startKillable();
    const { caller, id, goneId } = await interrupted({ host, callers, place });

    expect(host.live.get(id)).toMatchObject({ menu: ivr, keys: ['7'], doing: 'waiting' });
    expect([...host.live.keys()]).toEqual([id]);
    await caller.press('1');
    await caller.arrivesAt('from-internal');
    const record = await host.record((one) => one.id === id);
    expect(record).toMatchObject({ keys: ['7', '1'], end: { kind: 'destination' } });
    expect(record.moments.map(({ kind }) => kind)).toContain('resumed');
    const lost = await host.ask('readCall', { params: { id: goneId } });
    expect(lost.end).toEqual({ kind: 'failed', reason: 'lost' });
  },
);

test(
  'a call goes back to the dialplan where its stored menus are not those that it began with',
  { tags: ['long'] },
  async () => {
    const { host, callers, place } = await startKillable();
    await callers.call(place);
    const { id } = await host.liveCall(({ doing }) => doing === 'waiting');
    await host.load();
    await host.kill();

    const records = new DatabaseSync(join(host.dataDir, recordFileName));
    const { changes } = records.prepare("UPDATE flows SET text = text || ' '").run();
    records.close();
    expect(changes).toBe(1);
    await host.start({ inProcess: false });
    const record = await host.record((one) => one.id === id);
    expect(record.end).toEqual({ kind: 'failed', reason: 'fallback' });
  },
);
