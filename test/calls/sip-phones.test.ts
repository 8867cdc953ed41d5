import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Sound } from '../../src/core/recording/sound.ts';
import { encodeWav } from '../../src/core/recording/wav.ts';
import type { Asterisk } from '../tools/asterisk.ts';
import { phonesConf, SipPhone } from '../tools/sip-phone.ts';
import { CallHost, startReception } from './call-host.ts';

/** Calls over SIP and RTP: what a caller hears, and the keys of a real telephone. */

let host: CallHost;
let asterisk: Asterisk;

beforeAll(async () => {
  host = new CallHost();
  await host.start();
  ({ asterisk } = await startReception(host, {
    pjsip: phonesConf(['100', '101']),
    extensions: `
[from-internal](+)
exten => 700,1,Goto(menu,s,1)
exten => 101,1,Dial(PJSIP/101,30)
`,
  }));
  await host.addPbx(asterisk);
});

afterAll(async () => {
  await host.close();
  host.remove();
  await asterisk.close();
});

/** Converting a recording for telephones may take its last milliseconds. */
const seconds = { uploaded: 1.2, compared: 1.1 };

/** Something that is like itself at one place only, by time: tones of 300 to 1200 Hz, a new one every 50 ms. */
function tones(seed: number, rate: number, length: number): Sound {
  let phase = 0;
  const samples = Float32Array.from({ length: length * rate }, (_, at) => {
    const tone = Math.floor((at / rate) * 20);
    const hertz = 300 + ((seed * 7919 + tone * tone * 104_729 + tone * 1299) % 900);
    phase += (2 * Math.PI * hertz) / rate;
    return Math.sin(phase) / 2;
  });
  return { samples, rate };
}

function recordingOf(seed: number, rate: number): Uint8Array<ArrayBuffer> {
  return encodeWav(tones(seed, rate, seconds.uploaded));
}

/** 1 for the same sound somewhere in what was heard, whatever its loudness; 0 for one that has nothing of it. */
function likeness(heard: Sound | undefined, seed: number): number {
  if (heard === undefined) throw new Error('Nothing was heard.');
  const wanted = tones(seed, heard.rate, seconds.compared);
  const { length } = wanted.samples;
  const energy = (samples: Float32Array): number => samples.reduce((sum, one) => sum + one * one, 0);
  const wantedEnergy = energy(wanted.samples);
  let best = 0;
  for (let from = 0; from + length <= heard.samples.length; from += 1) {
    const part = heard.samples.subarray(from, from + length);
    let product = 0;
    for (let at = 0; at < length; at += 1) product += part[at]! * wanted.samples[at]!;
    best = Math.max(best, Math.abs(product) / Math.sqrt(energy(part) * wantedEnergy || 1));
  }
  return best;
}

async function startPhone(number: string, answers = false): Promise<SipPhone> {
  const phone = await SipPhone.start({ asterisk, number, answers });
  onTestFinished(() => phone.close());
  return phone;
}

test('a caller hears the recording, presses a key, and the phone of the destination rings', async () => {
  // Uploaded as a studio makes it, and heard as a telephone line carries it.
  await host.ask('replaceRecording', { params: { id: '11' }, body: recordingOf(1, 44_100) });
  const caller = await startPhone('100');
  const colleague = await startPhone('101', true);

  caller.dial('700');
  const { id } = await host.liveCall(({ doing }) => doing === 'waiting');
  caller.press('1');
  await colleague.next('CALL_ESTABLISHED');
  const record = await host.record((one) => one.id === id);
  expect(record).toMatchObject({
    caller: '100',
    keys: ['1'],
    end: { kind: 'destination', destination: 'extension||101' },
  });

  await caller.hangUp();
  await colleague.next('CALL_CLOSED');
  const [heard] = await caller.heard();
  expect(likeness(heard, 1)).toBeGreaterThan(0.9);
  expect(likeness(heard, 2)).toBeLessThan(0.5);
});

test('the next caller hears a recording that replaced it', { tags: ['long'] }, async () => {
  await host.ask('replaceRecording', { params: { id: '11' }, body: recordingOf(2, 48_000) });
  const caller = await startPhone('100');
  caller.dial('700');
  await host.liveCall(({ doing }) => doing === 'waiting');
  await caller.hangUp();
  const [heard] = await caller.heard();
  expect(likeness(heard, 2)).toBeGreaterThan(0.9);
  expect(likeness(heard, 1)).toBeLessThan(0.5);
});
