import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { telephoneWav } from '../../src/calls/prompt-audio.ts';
import { recordingAudioPath } from '../../src/contract/address.ts';
import type { Sound } from '../../src/core/recording/sound.ts';
import { encodeWav, readWav } from '../../src/core/recording/wav.ts';
import { readWavHead } from '../../src/core/recording/wav-head.ts';
import { sweep } from '../fixtures/audio-files.ts';
import type { Asterisk } from '../tools/asterisk.ts';
import { phonesConf, SipPhone } from '../tools/sip-phone.ts';
import { runtimeFileOf } from '../host/runtime-file-of.ts';
import { CallHost, startReception } from './call-host.ts';

/** Calls over SIP and RTP: what a caller hears, and the keys of a real telephone. */

let host: CallHost;
let asterisk: Asterisk;

beforeAll(async () => {
  host = new CallHost();
  await host.start();
  ({ asterisk } = await startReception(host, {
    pjsip: phonesConf(['100', '101']),
    sounds: { 'custom/welcome.wav': recordingOf(4, 8000) },
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
  await host.remove();
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
  // Of everything before each sample, so that the energy of any part is a difference.
  const energies = new Float64Array(heard.samples.length + 1);
  for (const [at, one] of heard.samples.entries()) energies[at + 1] = energies[at]! + one * one;
  const wantedEnergy = wanted.samples.reduce((sum, one) => sum + one * one, 0);
  let best = 0;
  for (let from = 0; from + length <= heard.samples.length; from += 1) {
    let product = 0;
    for (let at = 0; at < length; at += 1) product += heard.samples[from + at]! * wanted.samples[at]!;
    const energy = energies[from + length]! - energies[from]!;
    best = Math.max(best, Math.abs(product) / Math.sqrt(energy * wantedEnergy || 1));
  }
  return best;
}

/** 1 for the same sound. Of each `step`th sample, which is enough to find a sound by. */
function likenessAt(heard: Sound, from: number, part: Float32Array, step = 1): number {
  let product = 0;
  let heardEnergy = 0;
  let partEnergy = 0;
  for (let at = 0; at < part.length; at += step) {
    const one = heard.samples[from + at] ?? 0;
    const other = part[at]!;
    product += one * other;
    heardEnergy += one * one;
    partEnergy += other * other;
  }
  return Math.abs(product) / Math.sqrt(heardEnergy * partEnergy || 1);
}

/** A sound is found by its first three quarters of a second, and compared as a whole there. */
function likenessOf(heard: Sound, wanted: Sound): number {
  const start = wanted.samples.subarray(0, wanted.rate * 0.75);
  let best = 0;
  let bestFrom = 0;
  for (let from = 0; from + start.length <= heard.samples.length; from += 1) {
    const here = likenessAt(heard, from, start, 8);
    if (here <= best) continue;
    best = here;
    bestFrom = from;
  }
  return likenessAt(heard, bestFrom, wanted.samples);
}

/** The audio of a stored recording as a telephone line carries it. */
async function onTheLine(id: string): Promise<Sound> {
  const { base_url: baseUrl, portal_key: key } = runtimeFileOf(host.dataDir);
  const reply = await fetch(baseUrl + recordingAudioPath(id), {
    headers: { authorization: `Bearer ${key}` },
  });
  const wav = await telephoneWav(new Uint8Array(await reply.arrayBuffer()), 'wav');
  const head = wav === null ? null : readWavHead(wav);
  if (wav === null || head?.ok !== true) throw new Error('It is no audio.');
  const { samples, rate } = readWav(wav, head.value);
  return { samples: samples[0]!, rate };
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

/** What a phone hears that is rung and runs a menu with this prompt. */
async function heardOf(recording: string): Promise<Sound> {
  const ivr = await host.addMenu({ name: recording.replace(/\W+/g, ' '), recording });
  const phone = await startPhone('100', true);
  const { call } = await host.ask('ringPhone', {
    params: { name: 'office' },
    body: { endpoint: 'PJSIP/100', menu: { ivr } },
  });
  await host.liveCall(({ id, doing }) => id === call && doing === 'waiting');
  await phone.hangUp();
  const record = await host.record(({ id }) => id === call);
  expect(record.moments[1]).toMatchObject({ kind: 'played', recording, missing: null });
  const [heard] = await phone.heard();
  if (heard === undefined) throw new Error('Nothing was heard.');
  return heard;
}

/** A-law (ITU-T G.711): the sign, the segment of a logarithmic scale and four bits within it; every other bit is turned over. */
function encodeALaw(sample: number): number {
  const size = Math.min(32_767, Math.round(Math.abs(sample) * 32_768));
  const segment = Math.max(0, 31 - Math.clz32(size) - 7);
  const step = (size >> Math.max(4, segment + 3)) & 0x0f;
  return ((sample >= 0 ? 0x80 : 0) | (segment << 4) | step) ^ 0x55;
}

test(
  'a caller hears a recording in A-law, as European telephone systems write it',
  { tags: ['long'] },
  async () => {
    const codes = Array.from(tones(3, 8000, seconds.uploaded).samples, encodeALaw);
    const head = sweep('alaw').slice(0, 58);
    new DataView(head.buffer).setUint32(54, codes.length, true);
    const body = new Uint8Array([...head, ...codes]);
    await host.ask('uploadRecording', { query: { id: 'alaw', name: 'A-law' }, body });
    const heard = await heardOf('recording||alaw');
    expect(likeness(heard, 3)).toBeGreaterThan(0.9);
    expect(likeness(heard, 4)).toBeLessThan(0.5);
  },
);

test(
  'a caller hears a recording in GSM 6.10, as Asterisk writes voice messages',
  { tags: ['long'] },
  async () => {
    await host.ask('uploadRecording', { query: { id: 'gsm', name: 'GSM 6.10' }, body: sweep('gsm') });
    const { samples } = await heardOf('recording||gsm');
    // A quarter of a second of it, as loud as it was.
    expect(Math.max(...samples)).toBeGreaterThan(0.3);
    const energy = samples.reduce((sum, one) => sum + one * one, 0);
    expect(energy).toBeGreaterThan(0.2 * 0.25 * 8000 * 0.25);
  },
);

test('a caller hears a sound of the telephone system by its name', async () => {
  const heard = await heardOf('recording||custom/welcome.wav');
  expect(likeness(heard, 4)).toBeGreaterThan(0.9);
});

/** A menu of which each prompt is a text that is spoken. */
const texts = {
  recording: 'Welcome. For sales, press 1.',
  invalid_recording: 'That key is wrong.',
  timeout_retry_recording: 'Are you still there?',
  timeout_recording: 'Thank you. Goodbye.',
};
const spokenMenu = Object.fromEntries(
  Object.entries(texts).map(([field, text]) => [field, `outbound_tts||${text}`]),
);

/** What a phone hears that is rung and does what `act` says until the menu, or the phone, hangs up. */
async function heardOfSpoken(ivr: string, act: (phone: SipPhone) => unknown): Promise<Sound> {
  const phone = await startPhone('100', true);
  const { call } = await host.ask('ringPhone', {
    params: { name: 'office' },
    body: { endpoint: 'PJSIP/100', menu: { ivr } },
  });
  await host.liveCall(({ id, doing }) => id === call && doing === 'waiting');
  await act(phone);
  const { moments } = await host.record(({ id }) => id === call);
  const played = moments.flatMap((moment) => (moment.kind === 'played' ? [moment] : []));
  expect(played.map(({ missing }) => missing)).toEqual(played.map(() => null));
  const [heard] = await phone.heard();
  if (heard === undefined) throw new Error('Nothing was heard.');
  return heard;
}

test('a caller hears a menu of typed texts, each whole, also after a restart that can speak no more', async () => {
  const ivr = await host.addMenu({
    ...spokenMenu,
    name: 'Spoken',
    timeout: '1',
    incorrect_count: '1',
    timeout_tries: '1',
    timeout_destination: 'hangup',
  });
  const { prompts } = await host.ask('speakIvr', { params: { id: ivr }, body: { check: false } });
  expect(prompts.map(({ text, state }) => [text, state])).toEqual(
    Object.values(texts).map((text) => [text, 'spoken']),
  );
  const audio = new Map<string, Sound>();
  for (const { text, recording } of prompts) audio.set(text, await onTheLine(recording!));
  const other = await host.ask('speakRecording', {
    body: { text: 'Your call is number four in the queue.' },
  });
  const unplayed = await onTheLine(other.id);

  const heard = await heardOfSpoken(ivr, async (phone) => {
    // A key without a meaning, and then nothing until the menu hangs up.
    phone.press('9');
    await phone.next('CALL_CLOSED');
  });
  for (const [text, sound] of audio) expect(likenessOf(heard, sound), text).toBeGreaterThan(0.95);
  expect(likenessOf(heard, unplayed)).toBeLessThan(0.5);

  // From here on no voice could speak them.
  await host.ask('changeSettings', { body: { speech_language: 'fr-FR' } });
  await host.close();
  await host.start();
  await host.pbxState((state) => state.status === 'connected');
  const again = await heardOfSpoken(ivr, (phone) => phone.hangUp());
  for (const [text, sound] of audio) {
    const isStart = text === texts.recording;
    if (isStart) expect(likenessOf(again, sound), text).toBeGreaterThan(0.95);
    else expect(likenessOf(again, sound), text).toBeLessThan(0.5);
  }
  const { prompts: after } = await host.ask('speakIvr', { params: { id: ivr }, body: { check: true } });
  expect(after.map(({ recording }) => recording)).toEqual(prompts.map(({ recording }) => recording));
});
