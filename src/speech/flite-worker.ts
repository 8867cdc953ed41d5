/**
 * Runs flite in a worker of Node: a program in WebAssembly that sees the files below and nothing else. Each part of a text is a new run
 * of the compiled program, which is loaded before the part comes: that takes as long as speaking a few words.
 */
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { File, type Inode, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';
import { soundOfWav, type WrittenSound } from '../core/speech/speech-sound.ts';
import { invariant } from '../core/unreachable.ts';

/** What the worker is told. */
export interface FlitePart {
  /** Letters, digits and signs of ASCII only: flite knows no others. */
  readonly text: string;
  /** As flite calls it. */
  readonly voice: string;
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
let next = load();

/** A run of flite that has not begun. */
interface Run {
  readonly wasi: WASI;
  readonly files: Map<string, Inode>;
  readonly program: Program;
}

async function load(): Promise<Run> {
  const folder = new PreopenDirectory('/', new Map());
  const streams = [new OpenFile(new File([])), new OpenFile(new File([])), new OpenFile(new File([]))];
  const wasi = new WASI([], [], [...streams, folder], { debug: false });
  const program = await WebAssembly.instantiate(flite, { wasi_snapshot_preview1: wasi.wasiImport });
  return { wasi, files: folder.dir.contents, program };
}

async function speak({ text, voice, rate }: FlitePart): Promise<WrittenSound> {
  const { wasi, files, program } = await next;
  const stretch = `duration_stretch=${String(1 / rate)}`;
  // The text is in a file: as an argument it could be an option.
  wasi.args = ['flite', '-voice', voice, '--setf', stretch, '-f', textFile, '-o', soundFile];
  files.set(textFile, new File(new TextEncoder().encode(text)));
  const status = wasi.start(program);
  const sound = files.get(soundFile);
  if (status !== 0 || !(sound instanceof File)) throw new Error(`flite_status_${String(status)}`);
  return soundOfWav(sound.data);
}

port.on('message', (part: FlitePart) => {
  void speak(part).then((sound) => {
    port.postMessage(sound, [sound.samples.buffer]);
    next = load(); // while nobody waits
  });
});
