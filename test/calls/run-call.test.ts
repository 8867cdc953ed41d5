import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { AriError } from '../../src/calls/ari-port.ts';
import { readCarried } from '../../src/calls/call-state.ts';
import { RunningCall } from '../../src/calls/run-call.ts';
import type { CallEnd, CallId } from '../../src/contract/calls/call.ts';
import { defaultDestinationRules } from '../../src/contract/calls/pbx.ts';
import { flowOfBody } from '../../src/core/ivr/body/flow-of-body.ts';
import { parseIvrBody } from '../../src/core/ivr/body/parse-ivr-body.ts';
import { callRecordsIn } from '../fixtures/call-records.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { noon } from '../fixtures/make-events.ts';
import { ivrBody } from '../fixtures/ivr-bodies.ts';
import { FakeAri } from '../fakes/fake-ari.ts';
import { ManualTimer } from '../fakes/manual-timer.ts';

const seconds = 7;

async function startCall(
  options: {
    readonly missing?: string;
    readonly sound?: string;
    readonly variables?: Readonly<Record<string, string>>;
  } = {},
) {
  const parsed = parseIvrBody(ivrBody, { smsTemplatesEnabled: false });
  if (!parsed.ok) throw new Error('not a body');
  const flow = flowOfBody(parsed.value.body);
  const ari = new FakeAri();
  for (const [name, value] of Object.entries(options.variables ?? {})) ari.variables.set(name, value);
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
      rules: () => defaultDestinationRules,
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
