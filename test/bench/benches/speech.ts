import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { metricsPath } from '../../../src/contract/address.ts';
import type { SpeechStatus } from '../../../src/contract/menu/recording.ts';
import { twoMenus } from '../../fixtures/ivr-documents.ts';
import { type Bench, judgeMs, printTable } from '../bench.ts';
import { rotavox, type RunningRotavox, startRotavox } from '../contenders/rotavox.ts';
import { spreadOf } from '../paired-rounds.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';

const lookEveryMs = 500;
const longestDelay = /^nodejs_eventloop_lag_max_seconds (\S+)$/m;

interface Turn {
  readonly seconds: number;
  /** The longest time that the service did nothing else, as its metrics have it. */
  readonly longestMs: number;
  /** The same of this process, which does nothing meanwhile: how long the machine lets anybody wait. */
  readonly idleMs: number;
}

const goalMs = 50;

/** Two texts a call flow, spoken one after the other by the voice that is built in: a call that runs meanwhile waits for nothing. */
export const speech: Bench = {
  name: 'speech',
  title: 'speaking all texts: how long the service is held up, as a running call would be',
  isLong: true,
  async run({ quick }) {
    const [turns, flows] = quick ? [1, 20] : [3, 100];
    const seen: Turn[] = [];
    for (let turn = 0; turn < turns; turn += 1) seen.push(await speakTexts(flows));
    printTable(
      [`${2 * flows} texts`, 'took', 'longest delay', 'of a process that does nothing'],
      seen.map(({ seconds, longestMs, idleMs }, turn) => [
        `turn ${turn + 1}`,
        `${seconds.toFixed(0)} s`,
        `${longestMs.toFixed(1)} ms`,
        `${idleMs.toFixed(1)} ms`,
      ]),
    );
    const longest = spreadOf(seen.map(({ longestMs }) => longestMs));
    const idle = spreadOf(seen.map(({ idleMs }) => idleMs));
    const judged = judgeMs('longest delay of the event loop while texts are spoken', longest, goalMs);
    const isUndecided = judged.verdict === 'missed' && idle.median > goalMs;
    return [isUndecided ? { ...judged, verdict: 'undecided' } : judged];
  },
};

async function speakTexts(flows: number): Promise<Turn> {
  const folder = createScratchFolder('speech');
  try {
    const service = await startRotavox(rotavox.name, folder);
    try {
      for (let place = 0; place < flows; place += 1) await addFlow(service, place);
      await longestSince(service);
      const begunAt = performance.now();
      const idle = monitorEventLoopDelay({ resolution: 10 });
      idle.enable();
      await service.portal('POST', '/portal/speech/all', { what: 'missing' });
      let longestMs = 0;
      for (;;) {
        await wait(lookEveryMs);
        longestMs = Math.max(longestMs, await longestSince(service));
        const { job } = (await service.portal('GET', '/portal/speech?failures=first')) as SpeechStatus;
        if (job?.status === 'running') continue;
        if (job?.status !== 'done' || job.failed > 0)
          throw new Error(`Not all was spoken: ${JSON.stringify(job)}`);
        idle.disable();
        return { seconds: (performance.now() - begunAt) / 1000, longestMs, idleMs: idle.max / 1e6 };
      }
    } finally {
      await service.close();
    }
  } finally {
    removeScratchFolder(folder);
  }
}

async function addFlow(service: RunningRotavox, place: number): Promise<void> {
  const prompts = {
    wrong_key: `outbound_tts||This key leads nowhere in menu number ${place}. Please try another one.`,
    timeout: `outbound_tts||Welcome to office ${place}. For sales, press 1. For technical support, press 2.`,
  };
  await service.portal('POST', '/portal/ivrs/drafts', { document: { ...twoMenus, prompts } });
}

/** In milliseconds, since it was asked before. */
async function longestSince({ port, portalKey }: RunningRotavox): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${metricsPath}`, {
    headers: { authorization: `Bearer ${portalKey}` },
  });
  const [, seconds] = longestDelay.exec(await answer.text()) ?? [];
  if (seconds === undefined) throw new Error(`No delay in the metrics (${answer.status}).`);
  return Number(seconds) * 1000;
}
