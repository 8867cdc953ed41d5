/**
 * Runs flite in a worker of Node: a program in WebAssembly that sees the files below and nothing else. Each part of a text runs it anew;
 * the compiled program stays.
 */
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { File, type Inode, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';
import { readWav } from '../core/recording/wav.ts';
import { readWavHead } from '../core/recording/wav-head.ts';
import { invariant } from '../core/unreachable.ts';

/** What the worker is told. */
export interface FlitePart {
  /** Letters, digits and signs of ASCII only: flite knows no others. */
  readonly text: string;
  /** As flite calls it. */
  readonly voice: string;
  readonly rate: number;
}

/** What it answers; a failure ends it. */
export interface FliteSound {
  readonly samples: Float32Array<ArrayBuffer>;
  readonly rate: number;
}

interface Program {
  readonly exports: { readonly memory: never; readonly _start: () => unknown };
}

/** Node has it; its types do not. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: object): Promise<Program>;
};

const textFile = 'text.txt';
const soundFile = 'sound.wav';

invariant(
  parentPort !== null && typeof workerData === 'string',
  'this is a worker that was given the file of flite',
);
const port = parentPort;
const flite = await WebAssembly.compile(await readFile(workerData));

async function speak({ text, voice, rate }: FlitePart): Promise<FliteSound> {
  const files = new Map<string, Inode>([[textFile, new File(new TextEncoder().encode(text))]]);
  const folder = new PreopenDirectory('/', files);
  const stretch = `duration_stretch=${String(1 / rate)}`;
  // The text is in a file: as an argument it could be an option.
  const args = ['flite', '-voice', voice, '--setf', stretch, '-f', textFile, '-o', soundFile];
  const streams = [new OpenFile(new File([])), new OpenFile(new File([])), new OpenFile(new File([]))];
  const wasi = new WASI(args, [], [...streams, folder], { debug: false });
  const status = wasi.start(
    await WebAssembly.instantiate(flite, { wasi_snapshot_preview1: wasi.wasiImport }),
  );
  const sound = folder.dir.contents.get(soundFile);
  if (status !== 0 || !(sound instanceof File)) throw new Error(`flite_status_${String(status)}`);
  return soundOf(sound.data);
}

function soundOf(wav: Uint8Array): FliteSound {
  const head = readWavHead(wav);
  // Of a text that has nothing to say it writes a head alone.
  if (!head.ok) return { samples: new Float32Array(0), rate: 16_000 };
  const { samples, rate } = readWav(wav, head.value);
  return { samples: samples[0] ?? new Float32Array(0), rate };
}

port.on('message', (part: FlitePart) => {
  void speak(part).then((sound) => port.postMessage(sound, [sound.samples.buffer]));
});
