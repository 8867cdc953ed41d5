import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { AriError } from '../../src/calls/ari-port.ts';
import { countOutsideCall } from '../../src/calls/outside-limit.ts';
import { isStateOf, readCarried } from '../../src/calls/call-state.ts';
import { systemTimer } from '../../src/calls/call-timer.ts';
import { RunningCall } from '../../src/calls/run-call.ts';
import type { CallEnd, CallId } from '../../src/contract/calls/call.ts';
import { defaultDestinationRules } from '../../src/contract/calls/pbx.ts';
import type { NodeId } from '../../src/contract/menu/ivr-draft.ts';
import type { Flow } from '../../src/core/ivr/flow.ts';
import { flowOfBody } from '../../src/core/ivr/body/flow-of-body.ts';
import { routeOf } from '../../src/core/ivr/destination-route.ts';
import { parseIvrBody } from '../../src/core/ivr/body/parse-ivr-body.ts';
import { callRecordsIn } from '../fixtures/call-records.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { noon } from '../fixtures/make-events.ts';
import { ivrBody } from '../fixtures/ivr-bodies.ts';
import { FakeAri } from '../fakes/fake-ari.ts';
import { ManualTimer } from '../fakes/manual-timer.ts';

const seconds = 7;
const outside = { countries: ['DE'], perHour: 2 };

async function startCall(
  options: {
    readonly missing?: string;
    readonly sound?: string;
    /** Where every key leads. */
    readonly destination?: string;
    readonly variables?: Readonly<Record<string, string>>;
    readonly body?: object;
    /** A request of the start that does not arrive. */
    readonly lost?: string;
  } = {},
) {
  const parsed = parseIvrBody({ ...ivrBody, ...options.body }, { smsTemplatesEnabled: true });
  if (!parsed.ok) throw new Error('not a body');
  const flow = flowOfBody(parsed.value.body);
  const ari = new FakeAri();
  for (const [name, value] of Object.entries(options.variables ?? {})) ari.variables.set(name, value);
  ari.lost = options.lost ?? null;
  const timer = new ManualTimer(noon);
  const ends: CallEnd[] = [];
  const log = await callRecordsIn(makeFolder())();
  const call = new RunningCall(
    {
      id: 'call_1' as CallId,
      channel: 'c1',
      pbx: 'office',
      ivr: 'ivr_1',
      draft: null,
      caller: '0151',
      started_at: new Date(noon).toISOString(),
      menu_names: {},
      flow,
      flowHash: 'f1',
      hasDialplan: true,
    },
    {
      switches: new Map(),
      ari: () => ari,
      prompts: {
        find: (recording) =>
          Promise.resolve(
            recording === options.missing
              ? 'gone'
              : {
                  media: recording,
                  seconds,
                  ...(options.sound === recording ? { sound: 'custom/welcome' } : {}),
                },
          ),
      },
      log,
      clock: timer.clock,
      timer,
      routeTo: (destination) => routeOf(options.destination ?? destination, defaultDestinationRules, outside),
      countOutside: (channel) => countOutsideCall(ari, channel, outside.perHour),
      onChange: () => undefined,
      onEnd: (_call, end) => ends.push(end),
      onFailure: (error) => {
        throw error;
      },
    },
  );
  ari.onFinished = (playback, state) => call.played(playback, state);
  call.start();
  await settled();
  return { ari, timer, call, ends, log };
}

const menu = 'recording||11';
const wrongKey = 'recording||12';

describe('a running call that takes several digits', () => {
  const keys = { option: ['1', '101', '2'], destination: ['extension||1', 'extension||2', 'extension||3'] };

  test('stops the prompt at the first digit, and leads when no other comes in time', async () => {
    const { ari, call, timer, ends } = await startCall({ body: keys });
    call.pressed('1');
    await settled();
    expect(ari.done.slice(-3)).toEqual(['stop', 'set TIMEOUT(absolute)=15', 'set state']);
    expect(call.live()).toMatchObject({ doing: 'waiting', keys: [] });
    await timer.advance(1900, settled);
    expect(ends).toEqual([]);
    await timer.advance(200, settled);
    expect(ends).toEqual([{ kind: 'destination', destination: 'extension||1' }]);
    expect(call.keys).toEqual(['1']);
  });

  test('waits anew after each digit, and leads at once when an entry is complete', async () => {
    const { call, timer, ends } = await startCall({ body: keys });
    for (const key of '10') {
      call.pressed(key);
      await settled();
      await timer.advance(1500, settled);
    }
    call.pressed('1');
    await settled();
    expect(ends).toEqual([{ kind: 'destination', destination: 'extension||2' }]);
    expect(call.keys).toEqual(['101']);
  });

  test('is continued between two digits after a restart', async () => {
    const { ari, call } = await startCall({ body: keys });
    call.pressed('1');
    await settled();
    const carried = readCarried(ari.variables.get('ROTAVOX_CALL') ?? '');
    expect(carried?.state).toMatchObject({ kind: 'collecting', digits: '1' });
  });
});

describe('a running call', () => {
  test('sets the state and a lease that outlasts the prompt before it plays', async () => {
    const { ari } = await startCall();
    expect(ari.done.filter((one) => !/^read |ROTAVOX_LIMIT/.test(one))).toEqual([
      'answer',
      `set TIMEOUT(absolute)=${15 + seconds}`,
      'set state',
      `play ${menu}`,
    ]);
    ari.finish();
    await settled();
    expect(ari.variables.get('TIMEOUT(absolute)')).toBe('15');
  });

  test('asks for no variable while a prompt plays, so that a lease in time never waits for its end', async () => {
    const { ari, call } = await startCall();
    const before = ari.done.length;
    call.renewLease();
    await settled();
    expect(ari.done).toHaveLength(before);
    ari.finish();
    await settled();
    call.renewLease();
    await settled();
    expect(ari.done.at(-1)).toBe('set TIMEOUT(absolute)=15');
  });

  test('does and stores nothing more once the program is done with it, whatever the caller does', async () => {
    const { ari, call, ends, log, timer } = await startCall();
    ari.finish();
    await settled();
    const [before] = await log.underWay();
    const done = ari.done.length;
    call.letGo();
    await timer.advance(60_000, settled);
    call.pressed('7');
    await settled();
    expect(await log.underWay()).toEqual([before]);
    expect([ari.done.length, ends]).toEqual([done, []]);
  });

  test('a key stops the prompt, whose end that comes later changes nothing', async () => {
    const { ari, call } = await startCall();
    const first = ari.playing ?? '';
    call.pressed('7');
    await settled();
    expect(ari.done.slice(-4)).toEqual(['stop', 'set TIMEOUT(absolute)=22', 'set state', `play ${wrongKey}`]);
    call.played(first, 'done');
    await settled();
    expect(ari.done.at(-1)).toBe(`play ${wrongKey}`);
  });

  test('takes keys one after the other, also those that come while Asterisk is asked', async () => {
    const { call, ari, ends } = await startCall();
    call.pressed('7');
    call.pressed('8');
    call.pressed('1');
    await settled();
    await settled();
    expect(call.keys).toEqual(['7', '8', '1']);
    expect(ends).toEqual([{ kind: 'destination', destination: 'extension||101' }]);
    expect(ari.done.at(-1)).toBe('continue from-internal,101');
  });

  test('tries a prompt that could not be fetched once more, then passes over it and says so', async () => {
    const { ari, call } = await startCall();
    ari.finish('failed');
    await settled();
    expect(ari.done.at(-1)).toBe(`play ${menu}`);
    ari.finish('failed');
    await settled();
    expect(call.live()?.doing).toBe('waiting');
    expect(call.moments.filter(({ kind }) => kind === 'played')).toMatchObject([{ missing: 'not_fetched' }]);
  });

  test('passes over a sound that the telephone system does not have, without a second attempt', async () => {
    const { ari, call } = await startCall({ sound: menu });
    ari.finish('failed');
    await settled();
    expect(ari.done.filter((one) => one === `play ${menu}`)).toHaveLength(1);
    expect(call.live()?.doing).toBe('waiting');
    expect(call.moments.filter(({ kind }) => kind === 'played')).toMatchObject([{ missing: 'gone' }]);
  });

  test('passes over a recording that is gone', async () => {
    const { ari, call } = await startCall({ missing: menu });
    expect(call.live()?.doing).toBe('waiting');
    expect(ari.playing).toBeNull();
    expect(call.moments.find(({ kind }) => kind === 'played')).toMatchObject({ missing: 'gone' });
  });

  test('counts the timeout from the end of the prompt, and a key ends it', async () => {
    const { ari, call, timer } = await startCall();
    await timer.advance(60_000, settled);
    expect(call.keys).toEqual([]);
    ari.finish();
    await settled();
    await timer.advance(4_999, settled);
    expect(call.keys).toEqual([]);
    await timer.advance(1, settled);
    expect(call.keys).toEqual(['-']);
    expect(ari.done.at(-1)).toBe('play recording||13');
  });

  test('waits where it is while there is no connection, and continues there', async () => {
    const { ari, call, ends } = await startCall();
    ari.failure = new AriError('not_reached', 'ECONNRESET');
    call.pressed('1');
    await settled();
    expect(ends).toEqual([]);
    ari.failure = null;
    call.resume();
    await settled();
    expect(ends).toEqual([{ kind: 'destination', destination: 'extension||101' }]);
  });

  test('goes back to the dialplan when a request is refused', async () => {
    const { ari, call, ends } = await startCall();
    const play = ari.play.bind(ari);
    ari.play = () => Promise.reject(new AriError('failed', '500'));
    call.pressed('7');
    await settled();
    ari.play = play;
    expect(ends).toEqual([{ kind: 'failed', reason: 'pbx_refused' }]);
    expect(ari.done.slice(-2)).toEqual(['set TIMEOUT(absolute)=0', 'continue']);
  });

  test('says where it was hung up, or that the fallback took it', async () => {
    const hungUp = await startCall();
    hungUp.call.hangupRequested();
    hungUp.call.left();
    await settled();
    expect(hungUp.ends).toEqual([{ kind: 'hung_up', menu: 'menu' }]);
    const taken = await startCall();
    taken.call.left();
    await settled();
    expect(taken.ends).toEqual([{ kind: 'failed', reason: 'fallback' }]);
  });

  test('carries what another start of the program continues with', async () => {
    const { ari, call, log } = await startCall();
    call.pressed('7');
    await settled();
    const carried = readCarried(ari.variables.get('ROTAVOX_CALL') ?? '');
    expect(carried).toMatchObject({ id: 'call_1', flow: 'f1', state: { kind: 'playing', wrongKeys: 1 } });
    expect(await log.underWay()).toMatchObject([{ id: 'call_1', keys: ['7'], channel: 'c1' }]);
  });
});

describe('a running call of which one request is lost', () => {
  const lease = 'set TIMEOUT(absolute)=';
  const several = {
    option: ['1', '101', '2'],
    destination: ['extension||1', 'extension||2', 'extension||3'],
  };

  /** What is asked for the lease when it is due twice. */
  async function leases({ ari, call }: Awaited<ReturnType<typeof startCall>>): Promise<readonly string[]> {
    const before = ari.done.length;
    for (let due = 0; due < 2; due += 1) {
      call.renewLease();
      await settled();
    }
    // Asterisk sets nothing before the end of a sound that was not stopped.
    ari.finish();
    await settled();
    return ari.done.slice(before);
  }

  test.each(['stop', lease, 'set state'])('waits for the next digit when %s is', async (lost) => {
    const { ari, call, timer, ends } = await startCall({ body: several });
    ari.lost = lost;
    call.pressed('1');
    await settled();
    expect([ari.lost, call.live()?.doing]).toEqual([null, 'waiting']);
    await timer.advance(2_000, settled);
    expect(ends).toEqual([{ kind: 'destination', destination: 'extension||1' }]);
    expect(ari.playing).toBeNull();
  });

  test('waits for a key again when what the key sets is', async () => {
    const started = await startCall({
      body: { sms_template: ['t1'], option: ['1'], destination: ['extension||1'] },
    });
    const { ari, call, timer } = started;
    ari.finish();
    await settled();
    ari.lost = 'set ROTAVOX_SMS_TEMPLATE';
    call.pressed('1');
    await settled();
    expect(ari.lost).toBeNull();
    expect(await leases(started)).toEqual([`${lease}15`, `${lease}15`]);
    await timer.advance(5_000, settled);
    expect(ari.playing).not.toBeNull();
  });

  const toOutside = { destination: 'number||+4930227350', variables: { EPOCH: '1795910400' } };

  test.each<[string, Parameters<typeof startCall>[0]]>([
    ['read DIALPLAN_EXISTS', toOutside],
    ['read DB', toOutside],
    ['set DB', toOutside],
    [`${lease}0`, toOutside],
    ['continue', toOutside],
    ['read DIALPLAN_EXISTS', {}],
    ['continue', {}],
    ['hang up', { destination: 'hangup' }],
    ['stop', {}],
  ])('is left to the fallback in a moment when it leaves and %s is (%o)', async (lost, options) => {
    const started = await startCall(options);
    const { ari, call, ends } = started;
    ari.lost = lost;
    call.pressed('1');
    await settled();
    await settled();
    expect([ari.lost, ends]).toEqual([null, []]);
    // Once: then it runs out.
    expect(await leases(started)).toEqual([`${lease}15`]);
    call.left();
    await settled();
    expect(ends).toHaveLength(1);
  });

  test('takes the lease back last, after an outside number was counted', async () => {
    const { ari, call } = await startCall(toOutside);
    call.pressed('1');
    await settled();
    await settled();
    expect(ari.done.slice(-2)).toEqual([`${lease}0`, 'continue from-internal,+4930227350']);
    expect(ari.done.filter((one) => one === `${lease}0`)).toHaveLength(1);
  });

  test.each([`${lease}0`, 'continue'])(
    'is left to the fallback when it is given back and %s is',
    async (lost) => {
      const started = await startCall();
      const { ari, call, timer, ends } = started;
      ari.lost = lost;
      call.giveBack('fallback');
      await settled();
      expect([ari.lost, ends]).toEqual([null, []]);
      expect(await leases(started)).toEqual([`${lease}15`]);
      await timer.advance(60_000, settled);
      expect(call.keys).toEqual([]);
    },
  );

  test('is left to the fallback when it is given back after a refusal, and that is', async () => {
    const started = await startCall();
    const { ari, call, ends } = started;
    ari.play = () => Promise.reject(new AriError('failed', '500'));
    ari.lost = 'continue';
    call.pressed('7');
    await settled();
    expect([ari.lost, ends]).toEqual([null, []]);
    expect(await leases(started)).toEqual([`${lease}15`]);
    call.left();
    await settled();
    expect(ends).toEqual([{ kind: 'failed', reason: 'pbx_refused' }]);
  });

  test.each(['stop', lease, 'set state', 'play'])(
    'does not wait for the end of a prompt that does not play because %s is',
    async (lost) => {
      const started = await startCall();
      const { ari, call } = started;
      ari.lost = lost;
      call.pressed('7');
      await settled();
      expect(ari.lost).toBeNull();
      const asked = await leases(started);
      expect(asked.filter((one) => one === `${lease}15`)).toHaveLength(1);
      expect(ari.variables.get('TIMEOUT(absolute)')).toBe('15');
      // A key that comes before the fallback goes on.
      call.pressed('8');
      await settled();
      expect(ari.done.at(-1)).toBe(`play ${wrongKey}`);
    },
  );

  test('waits for the end of a prompt that plays, when only the answer to that is', async () => {
    const started = await startCall();
    const { ari, call } = started;
    const play = ari.play.bind(ari);
    ari.play = async (...asked) => {
      await play(...asked);
      throw new AriError('not_reached', 'ECONNRESET');
    };
    call.pressed('7');
    await settled();
    ari.play = play;
    ari.finish();
    await settled();
    expect(ari.done.at(-1)).toBe(`play ${menu}`);
  });

  test('is left to the fallback when a prompt is gone and the stop of the one before is', async () => {
    const started = await startCall({ missing: wrongKey });
    const { ari, call } = started;
    ari.lost = 'stop';
    call.pressed('7');
    await settled();
    ari.finish();
    await settled();
    expect(ari.lost).toBeNull();
    expect(await leases(started)).toEqual([`${lease}15`]);
  });

  test.each(['answer', 'read ROTAVOX_LIMIT'])(
    'is left to the fallback when it begins and %s is, or answered after the next connection',
    async (lost) => {
      const started = await startCall({ lost });
      const { ari, call } = started;
      expect([ari.lost, call.live()]).toEqual([null, null]);
      expect(await leases(started)).toEqual([`${lease}15`]);
      call.resume();
      await settled();
      expect(ari.done).toContain('answer');
      expect(ari.done.at(-1)).toBe(`play ${menu}`);
    },
  );

  test('finds with the next lease that it is gone', async () => {
    const { ari, call, ends } = await startCall();
    ari.finish();
    await settled();
    await ari.hangUp();
    call.pressed('1');
    await settled();
    expect(ends).toEqual([]);
    call.renewLease();
    await settled();
    await settled();
    expect(ends).toEqual([{ kind: 'hung_up', menu: 'menu' }]);
  });
});

describe('a state that a call carries', () => {
  const message = { start: 'hello', menus: new Map(), messages: new Map([['hello', {}]]) } as unknown as Flow;
  const at = { menu: 'hello' as NodeId, wrongKeys: 0, timeouts: 0 };
  const prompts = [{ recording: 'recording||1', cause: 'message' }] as const;

  test('is one of its flow while a message plays, which no key is awaited in', () => {
    const then = { kind: 'destination', destination: 'hangup', node: null } as const;
    expect(isStateOf(message, { ...at, kind: 'playing', prompts, then })).toBe(true);
    expect(isStateOf(message, { ...at, kind: 'waiting' })).toBe(false);
    expect(isStateOf(message, { ...at, kind: 'collecting', digits: '1' })).toBe(false);
  });
});

describe('a call to an outside number', () => {
  const hour = 1_795_910_400;
  const counter = 'DB(rotavox/outside)';

  async function leave(destination: string, variables: Readonly<Record<string, string>> = {}) {
    const started = await startCall({
      destination,
      variables: { EPOCH: String(hour + 1800), ...variables },
    });
    started.call.pressed('1');
    await settled();
    await settled();
    started.call.left();
    await settled();
    const last = started.ari.done.filter((one) => one.startsWith('continue')).at(-1);
    return { last, end: started.ends[0], count: started.ari.variables.get(counter) };
  }

  test('is counted where Asterisk keeps it, and made while the hour has calls left', async () => {
    const first = await leave('number||+4930227350');
    expect(first).toMatchObject({ last: 'continue from-internal,+4930227350', count: `${hour}-1` });
    // Another start of the program: all that it knows is there.
    const second = await leave('number||+4930227350', { [counter]: `${hour}-1` });
    expect(second).toMatchObject({ last: 'continue from-internal,+4930227350', count: `${hour}-2` });
    const third = await leave('number||+4930227350', { [counter]: `${hour}-2` });
    expect(third).toEqual({
      last: 'continue',
      end: { kind: 'failed', reason: 'outside_limit' },
      count: `${hour}-2`,
    });
    const nextHour = await leave('number||+4930227350', { [counter]: `${hour - 3600}-2` });
    expect(nextHour).toMatchObject({ last: 'continue from-internal,+4930227350', count: `${hour}-1` });
  });

  test.each([
    ['more, since an exported menu counted a call meanwhile', `${hour}-2`, true],
    ['less, since nothing was written', `${hour}-0`, false],
    ['nothing, without func_db', '', false],
  ])('is made or not when Asterisk has %s', async (_, kept, isMade) => {
    class SharedAri extends FakeAri {
      override setVariable(channel: string, name: string, value: string): Promise<void> {
        return super.setVariable(channel, name, name === counter ? kept : value);
      }
    }
    const ari = new SharedAri();
    ari.variables.set('EPOCH', String(hour + 1800));
    expect(await countOutsideCall(ari, 'c1', outside.perHour)).toBe(isMade);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['Asterisk does not tell the time', { EPOCH: '' }],
    ['the count is none', { [counter]: `${hour}-many` }],
  ])('is not made when %s', async (_, variables) => {
    const { end } = await leave('number||+4930227350', variables);
    expect(end).toEqual({ kind: 'failed', reason: 'outside_limit' });
  });

  test.each(['number||+18765550123', 'number||+499001123456'])('is not made to %s', async (destination) => {
    const { last, end, count } = await leave(destination);
    expect([last, end, count]).toEqual([
      'continue',
      { kind: 'failed', reason: 'outside_not_allowed' },
      undefined,
    ]);
  });
});

describe('the time limit that a site has set for its calls', () => {
  const limit = (ari: FakeAri): string | undefined => ari.variables.get('TIMEOUT(absolute)');

  test.each([
    [
      'by the lines that hand calls over',
      { ROTAVOX_LIMIT: '600', ROTAVOX_LIMIT_AT: '100', EPOCH: '110' },
      590,
    ],
    ['by a dialplan without them', { 'TIMEOUT(absolute)': '600.000', EPOCH: '110' }, 600],
  ])('and noted %s is what is left of it when the call leaves', async (_, variables, left) => {
    const { ari, call, timer } = await startCall({ variables });
    ari.finish();
    await settled();
    expect(limit(ari)).toBe('15');
    await timer.advance(3_000, settled);
    call.pressed('1');
    await settled();
    expect(limit(ari)).toBe(String(left - 3));
  });

  test('is never made longer by the lease', async () => {
    const { ari, call } = await startCall({ variables: { 'TIMEOUT(absolute)': '16.5', EPOCH: '110' } });
    expect(limit(ari)).toBe('17');
    ari.finish();
    await settled();
    call.renewLease();
    await settled();
    expect(limit(ari)).toBe('15');
  });

  test.each([
    ['none', { 'TIMEOUT(absolute)': '0', EPOCH: '110' }],
    ['that of the lease of earlier lines', { 'TIMEOUT(absolute)': '14.998', EPOCH: '110' }],
    ['none, as the lines noted', { ROTAVOX_LIMIT: '0', ROTAVOX_LIMIT_AT: '100', 'TIMEOUT(absolute)': '15' }],
  ])('is taken back with the lease where there was %s', async (_, variables) => {
    const { ari, call } = await startCall({ variables });
    ari.finish();
    await settled();
    call.pressed('1');
    await settled();
    expect(limit(ari)).toBe('0');
    expect(ari.variables.get('ROTAVOX_LIMIT')).toBe('0');
  });
});

test('hears what was said in time before the time is over, where the program was busy', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asterisk = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [heard] = (await once(server, 'connection')) as [Socket];
  const order: string[] = [];
  try {
    const isOver = new Promise<void>((resolve) => {
      systemTimer.start(20, () => {
        order.push('over');
        resolve();
      });
    });
    heard.on('data', () => order.push('key'));
    asterisk.write('1');
    const busyUntil = performance.now() + 60;
    while (performance.now() < busyUntil);
    await isOver;
    expect(order).toEqual(['key', 'over']);
  } finally {
    asterisk.destroy();
    heard.destroy();
    server.close();
  }
});
