import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Asterisk } from '../tools/asterisk.ts';
import { type AsteriskCaller, AsteriskCallers } from '../tools/asterisk-callers.ts';
import { CallHost, startReception } from './call-host.ts';

let host: CallHost;
let asterisk: Asterisk;
let callers: AsteriskCallers;
let place: string;
let ivr: string;

beforeAll(async () => {
  host = new CallHost();
  await host.start();
  ({ asterisk, place, ivr } = await startReception(host));
  await host.addPbx(asterisk);
  callers = await AsteriskCallers.connect(asterisk);
});

afterAll(async () => {
  await callers.close();
  await host.close();
  host.remove();
  await asterisk.close();
});

/** When the call goes on in the dialplan there. */
function arrivesAt(caller: AsteriskCaller, context: string): Promise<unknown> {
  return caller.next(
    ({ type, channel }) => type === 'ChannelDialplan' && channel?.dialplan.context === context,
  );
}

describe('a call on a real Asterisk', () => {
  test('hears its menu, presses a key and reaches its destination in the dialplan', async () => {
    const caller = await callers.call(place);
    const live = await host.liveCall(({ doing }) => doing === 'waiting');
    expect(live).toMatchObject({ ivr, pbx: 'office', draft: null, menu: ivr, keys: [] });
    await caller.press('1');
    await arrivesAt(caller, 'from-internal');
    const record = await host.record(({ id }) => id === live.id);
    expect(record).toMatchObject({
      keys: ['1'],
      end: { kind: 'destination', destination: 'extension||101' },
      menu_names: { [ivr]: 'Reception' },
    });
    expect(record.moments.map(({ kind }) => kind)).toEqual(['entered', 'played', 'waited', 'key', 'led']);
    expect(record.moments[1]).toMatchObject({ recording: 'recording||11', missing: null });
    await caller.hangUp();
  });
});
