/**
 * Runs a voice of Piper in a worker of Node, by the runtime that was added: sherpa-onnx, compiled to WebAssembly.
 *
 * The digest of every file is compared before it is used. The runtime reads the files of the voice itself, so a model that names
 * other files to read is refused.
 */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { invariant } from '../core/unreachable.ts';
import type { SpokenAnswer } from './speaking-worker.ts';
import { runtimeScripts } from './voice-sources.ts';

interface FileDigest {
  readonly path: string;
  readonly sha256: string;
}

export interface PiperFolder {
  readonly folder: string;
  readonly files: readonly FileDigest[];
}

export interface PiperOrder {
  readonly runtime: PiperFolder;
  readonly voice: PiperFolder;
}

export interface PiperPart {
  readonly text: string;
  readonly rate: number;
}

interface Tts {
  readonly sampleRate: number;
  generate(part: { text: string; sid: number; speed: number }): { samples: Float32Array<ArrayBuffer> };
}

interface Runtime {
  createOfflineTts(wasm: object, config: object): Tts;
}

invariant(parentPort !== null, 'this is a worker');
const port = parentPort;
const { runtime, voice } = workerData as PiperOrder;

/** How a model says that a part of it is in another file (TensorProto.external_data, with the key "location"). */
const otherFile = Buffer.from('\n\x08location');

async function isIntact({ folder, files }: PiperFolder): Promise<boolean> {
  for (const { path, sha256 } of files) {
    const bytes = await readFile(join(folder, path)).catch(() => null);
    if (bytes === null || hash('sha256', bytes, 'hex') !== sha256) return false;
    if (path.endsWith('.onnx') && bytes.includes(otherFile)) return false;
  }
  return true;
}

async function load(): Promise<Tts | Extract<SpokenAnswer, { damaged: unknown }>> {
  if (!(await isIntact(runtime))) return { damaged: 'runtime' };
  if (!(await isIntact(voice))) return { damaged: 'voice' };
  const load = createRequire(join(runtime.folder, runtimeScripts.tts));
  const wasm = {};
  // It fills the object at once, and its promise only says so.
  await (load(`./${runtimeScripts.wasm}`) as (module: object) => Promise<unknown>)(wasm);
  const model = voice.files.find(({ path }) => path.endsWith('.onnx'));
  invariant(model !== undefined, 'a voice has a model');
  const at = (path: string): string => join(voice.folder, path).replaceAll('\\', '/');
  return (load(`./${runtimeScripts.tts}`) as Runtime).createOfflineTts(wasm, {
    offlineTtsModelConfig: {
      offlineTtsVitsModelConfig: {
        model: at(model.path),
        tokens: at('tokens.txt'),
        dataDir: at('espeak-ng-data'),
        lexicon: '',
        noiseScale: 0.667,
        noiseScaleW: 0.8,
        lengthScale: 1,
      },
      numThreads: 1,
      debug: 0,
      provider: 'cpu',
    },
    maxNumSentences: 1,
  });
}

const loaded = await load();

port.on('message', ({ text, rate }: PiperPart) => {
  if ('damaged' in loaded) {
    port.postMessage(loaded);
    return;
  }
  const { samples } = loaded.generate({ text, sid: 0, speed: rate });
  const sound: SpokenAnswer = { samples, rate: loaded.sampleRate };
  port.postMessage(sound, [samples.buffer]);
});
