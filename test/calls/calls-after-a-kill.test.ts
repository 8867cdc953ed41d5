import { expect, onTestFinished, test } from 'vitest';
import { AsteriskCallers } from '../tools/asterisk-callers.ts';
import { CallHost, startReception } from './call-host.ts';

test(
  'a call goes on in its menu after the program was killed, and then reaches its destination',
  { tags: ['long'] },
  async () => {
    const host = new CallHost();
    onTestFinished(() => host.remove());
    await host.start({ inProcess: false });
    onTestFinished(() => host.kill());
    const { asterisk, place, ivr } = await startReception(host, { body: { timeout: 60 } });
    onTestFinished(() => asterisk.close());
    await host.addPbx(asterisk);
    const callers = await AsteriskCallers.connect(asterisk);
    onTestFinished(() => callers.close());

    const caller = await callers.call(place);
    const { id } = await host.liveCall(({ doing }) => doing === 'waiting');
    await caller.press('7');
    await host.liveCall(({ keys, doing }) => keys.length === 1 && doing === 'waiting');
    const gone = await callers.call(place);
    const { id: goneId } = await host.liveCall((call) => call.id !== id && call.doing === 'waiting');
    await host.kill();
    await gone.hangUp();
    await host.start({ inProcess: false });

    const live = await host.liveCall((call) => call.id === id);
    expect(live).toMatchObject({ menu: ivr, keys: ['7'], doing: 'waiting' });
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
