import { asteriskDialplan } from '../../../src/core/ivr/export/asterisk-dialplan.ts';
import { dialplanNames } from '../../../src/core/ivr/export/dialplan-names.ts';
import { flowOfBody } from '../../../src/core/ivr/body/flow-of-body.ts';
import { parseIvrBody } from '../../../src/core/ivr/body/parse-ivr-body.ts';
import { CallHost, startReception, tone } from '../../calls/call-host.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { runtimeFileOf } from '../../host/runtime-file-of.ts';
import type { Asterisk } from '../../tools/asterisk.ts';
import { type AriEvent, type AsteriskCaller, AsteriskCallers } from '../../tools/asterisk-callers.ts';
import type { Bench } from '../bench.ts';
import { type Goal, judgeCount, judgeMs, judgeRatio } from '../goal.ts';
import { spreadOf } from '../paired-rounds.ts';
import { printTable } from '../print-table.ts';
import { cpuSecondsOf } from '../process-usage.ts';

const atOnce = 200;
const goalMs = 100;
const goalRatio = 3;
/** The wrong key plays a prompt, and then the menu again. */
const body = { ...ivrBody, timeout: 100, incorrect_count: 20 };

/** From a key to the start of the next prompt, by Asterisk's own times: menus that this program runs, and the same as dialplan. */
export const calls: Bench = {
  name: 'calls',
  title: `${atOnce} calls in menus on one Asterisk`,
  isLong: true,
  async run({ quick }) {
    const host = new CallHost();
    await host.start({ inProcess: false });
    const { asterisk, place } = await startReception(host, { body, ...nativeMenu() });
    try {
      await host.addPbx(asterisk);
      const callers = await AsteriskCallers.connect(asterisk);
      const result = await measure({ host, asterisk, callers, place, turns: quick ? 3 : 8 });
      await callers.close();
      return result;
    } finally {
      await host.close();
      host.remove();
      await asterisk.close();
    }
  },
};

/** The same menu as exported dialplan, under another name, with its sounds. */
function nativeMenu() {
  const parsed = parseIvrBody(body, { smsTemplatesEnabled: false });
  if (!parsed.ok) throw new Error('not a body');
  const flow = flowOfBody(parsed.value.body);
  const { prompts } = dialplanNames(flow, 'Native');
  const sounds = Object.fromEntries(
    Array.from(prompts, ([recording, name]) => [
      `rotavox/${name}.wav`,
      tone(recording === 'recording||11' ? 0.3 : 0.2),
    ]),
  );
  return { extensions: asteriskDialplan(flow, 'Native'), sounds };
}

interface Office {
  readonly host: CallHost;
  readonly asterisk: Asterisk;
  readonly callers: AsteriskCallers;
  readonly place: string;
  readonly turns: number;
}

async function measure({ host, asterisk, callers, place, turns }: Office): Promise<Goal[]> {
  const pid = runtimeFileOf(host.dataDir).pid;
  const native = await keyTimes(callers, 's@rotavox_native', turns, 'ChannelDialplan');
  const cpu = (): number => cpuSecondsOf(pid) ?? 0;
  const asteriskCpu = (): number => cpuSecondsOf(asterisk.pid ?? 0) ?? 0;
  const before = { own: cpu(), asterisk: asteriskCpu(), ms: performance.now() };
  const own = await keyTimes(callers, place, turns, 'PlaybackStarted');
  const steps = own.length;
  const spent = { own: cpu() - before.own, asterisk: asteriskCpu() - before.asterisk };
  printTable(
    ['menu', 'keys', 'p50 ms', 'p99 ms', 'longest ms'],
    [
      ['dialplan', ...rowOf(native)],
      ['Rotavox', ...rowOf(own)],
    ],
  );
  const msPerStep = (seconds: number): string => ((seconds * 1000) / steps).toFixed(2);
  console.log(
    `CPU for each key with its prompts: Rotavox ${msPerStep(spent.own)} ms, Asterisk ${msPerStep(spent.asterisk)} ms`,
  );
  const live = (await host.ask('liveCalls')).calls.length;
  const p99 = quantile(own, 0.99);
  return [
    {
      ...judgeCount('calls in menus at once', spreadOf([live]), atOnce),
      goal: `>= ${atOnce}`,
      verdict: live >= atOnce ? 'met' : 'missed',
    },
    judgeMs('key to next prompt, p99', spreadOf([p99]), goalMs),
    judgeRatio('the same against dialplan, p99', spreadOf([p99 / Math.max(quantile(native, 0.99), 1)]), {
      atMost: goalRatio,
    }),
  ];
}

/** All callers press a wrong key, wait for the menu, and press again: the time from each key to what plays next. */
async function keyTimes(
  callers: AsteriskCallers,
  place: string,
  turns: number,
  plays: AriEvent['type'],
): Promise<number[]> {
  const all = await Promise.all(Array.from({ length: atOnce }, () => callers.call(place)));
  const starts = (caller: AsteriskCaller): Promise<AriEvent> =>
    caller.next((event) =>
      plays === 'ChannelDialplan'
        ? event.type === plays && event.dialplan_app === 'BackGround'
        : event.type === plays,
    );
  await Promise.all(all.map(starts));
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    await Promise.all(
      all.map(async (caller, at) => {
        // Spread over two seconds, as callers are.
        await new Promise((resolve) => setTimeout(resolve, (at * 2_000) / atOnce));
        await caller.press('7');
        const pressed = await caller.next(({ type }) => type === 'ChannelDtmfReceived');
        const next = await starts(caller);
        times.push(Date.parse(next.timestamp) - Date.parse(pressed.timestamp));
        await starts(caller); // the menu again
      }),
    );
  }
  if (plays === 'ChannelDialplan') await Promise.all(all.map((caller) => caller.hangUp()));
  return times;
}

function rowOf(times: readonly number[]): string[] {
  return [String(times.length), ...[0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(0))];
}

function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(Math.ceil(sorted.length * share), sorted.length) - 1] ?? 0;
}
