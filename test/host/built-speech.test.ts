import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { readWavHead } from '../../src/core/recording/wav-head.ts';
import type { SoundAnswer, SoundOrder } from '../../src/speech/joining-worker.ts';
import type { PiperOrder } from '../../src/speech/piper-worker.ts';
import type { UnpackAnswer, UnpackOrder } from '../../src/speech/unpack-worker.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { archiveOf, testRuntime, testVoice } from '../fixtures/piper-voice.ts';
import { picoData } from '../speech/pico-data.ts';
import { root } from '../tools/root.ts';

const built = join(root, 'out', 'speech');

function startBuilt(file: string, workerData: unknown): Worker {
  const worker = new Worker(join(built, file), {
    workerData,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  onTestFinished(async () => void (await worker.terminate()));
  return worker;
}

async function spokenBy(worker: Worker, part: object): Promise<{ samples: Float32Array; rate: number }> {
  worker.postMessage(part);
  const [sound] = (await once(worker, 'message')) as [{ samples: Float32Array; rate: number }];
  return sound;
}

it('speaks from the built files, which have the engine beside its worker', async () => {
  const worker = startBuilt('flite-worker.js', join(built, 'flite.wasm'));
  const sound = await spokenBy(worker, { text: 'Welcome to Example.', voice: 'slt', rate: 1 });
  expect(sound.rate).toBe(16_000);
  expect(sound.samples.length / sound.rate).toBeGreaterThan(1);

  const joining = startBuilt('joining-worker.js', null);
  const order: SoundOrder = [{ text: 'Welcome to Example.', rate: 1, sound, isAnyTaken: false }, 500];
  joining.postMessage(order);
  const [answer] = (await once(joining, 'message')) as [SoundAnswer];
  const { wav } = answer.kind === 'made' ? answer : { wav: new Uint8Array(0) };
  expect(readWavHead(wav)).toMatchObject({ ok: true, value: { codec: 'int16', channels: 1, rate: 16_000 } });
});

it('speaks with Pico from the built files, where its data can be had', async ({ skip }) => {
  const data = await picoData();
  if ('missing' in data) return skip(data.missing);
  const worker = startBuilt('pico-worker.js', {
    engine: join(built, 'svoxpico.wasm'),
    analysis: join(data.folder, 'de-DE_ta.bin'),
    signal: join(data.folder, 'de-DE_gl0_sg.bin'),
  });
  const sound = await spokenBy(worker, { text: 'Willkommen bei Beispiel.', rate: 1 });
  expect(sound.rate).toBe(16_000);
  expect(sound.samples.length / sound.rate).toBeGreaterThan(1);
});

it('unpacks a voice and its runtime from the built files, and speaks with them', async () => {
  const { runtime, archive } = await testRuntime();
  const voice = await unpacked(await archiveOf(testVoice()), 'voice');
  const order: PiperOrder = {
    runtime: await unpacked(
      archive,
      runtime.files.map(({ path }) => path),
    ),
    voice,
  };
  await writeFile(join(order.runtime.folder, 'package.json'), '{"type":"commonjs"}');
  const sound = await spokenBy(startBuilt('piper-worker.js', order), { text: 'Welcome.', rate: 1 });
  expect([sound.rate, sound.samples.length]).toEqual([16_000, 'Welcome.'.length * 1200]);
});

async function unpacked(bytes: Uint8Array, wanted: UnpackOrder['wanted']): Promise<PiperOrder['voice']> {
  const archive = join(makeFolder(), 'archive');
  const into = join(makeFolder(), 'files');
  await writeFile(archive, bytes);
  await mkdir(into);
  const order: UnpackOrder = { archive, into, wanted, mostBytes: 1_000_000 };
  const [answer] = (await once(startBuilt('unpack-worker.js', order), 'message')) as [UnpackAnswer];
  expect(answer.kind).toBe('unpacked');
  return { folder: into, files: answer.kind === 'unpacked' ? answer.files : [] };
}
