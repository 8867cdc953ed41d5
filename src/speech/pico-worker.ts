/**
 * Runs SVOX Pico in a worker of Node, with the data of one voice: WebAssembly whose only file system is one in memory, so that nothing
 * in a text makes it read a file of the disk.
 */
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
// @ts-expect-error TS7016: the package has no types
import loadPico from '@echogarden/svoxpico-wasm';
import type { WrittenSound } from '../core/speech/speech-sound.ts';
import { invariant } from '../core/unreachable.ts';

/** Files: the engine, and both parts of the voice. */
export interface PicoOrder {
  readonly engine: string;
  readonly analysis: string;
  readonly signal: string;
}

export interface PicoPart {
  readonly text: string;
  readonly rate: number;
}

/** What is used of it (picoapi.h): addresses are numbers, and a result is at an address that it is given. */
interface Pico {
  readonly HEAPU8: Uint8Array;
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void };
  getValue(address: number, type: 'i16' | 'i32'): number;
  _malloc(bytes: number): number;
  _pico_initialize(memory: number, bytes: number, system: number): number;
  _pico_loadResource(system: number, path: number, resource: number): number;
  _pico_getResourceName(system: number, resource: number, name: number): number;
  _pico_createVoiceDefinition(system: number, voice: number): number;
  _pico_addResourceToVoiceDefinition(system: number, voice: number, name: number): number;
  _pico_newEngine(system: number, voice: number, engine: number): number;
  _pico_putTextUtf8(engine: number, text: number, bytes: number, taken: number): number;
  _pico_getData(engine: number, buffer: number, bytes: number, received: number, type: number): number;
}

const memoryBytes = 2_500_000;
const longestResourceName = 32;
const bufferBytes = 16_000;
const samplesPerSecond = 16_000;
/** PICO_OK, PICO_STEP_IDLE and PICO_STEP_BUSY. */
const status = { ok: 0, idle: 200, busy: 201 } as const;
/** What Pico knows as its usual speed, and how far it may go (`<speed level>`). */
const speed = { usual: 100, least: 20, most: 500 };

invariant(parentPort !== null, 'this is a worker');
const port = parentPort;
const order = workerData as PicoOrder;

const pico = await (loadPico as (options: object) => Promise<Pico>)({
  wasmBinary: await readFile(order.engine),
});
const system = addressFrom((result) => pico._pico_initialize(pico._malloc(memoryBytes), memoryBytes, result));
const voice = written('voice');
expectOk(pico._pico_createVoiceDefinition(system, voice));
await addResource('/analysis.bin', order.analysis);
await addResource('/signal.bin', order.signal);

/** Each by a path of its own, which Pico finds only with this ending. */
async function addResource(path: string, file: string): Promise<void> {
  pico.FS.writeFile(path, await readFile(file));
  const resource = addressFrom((result) => pico._pico_loadResource(system, written(path), result));
  const name = pico._malloc(longestResourceName);
  expectOk(pico._pico_getResourceName(system, resource, name));
  expectOk(pico._pico_addResourceToVoiceDefinition(system, voice, name));
}

/** Before anything was said: Pico's noise goes on from one text to the next, and the same text has to sound alike. */
const memory = pico.HEAPU8.slice();

function speak({ text, rate }: PicoPart): WrittenSound {
  pico.HEAPU8.set(memory);
  const engine = addressFrom((result) => pico._pico_newEngine(system, voice, result));
  const level = Math.min(speed.most, Math.max(speed.least, Math.round(speed.usual * rate)));
  // The one tag that it gets is ours.
  const paced = level === speed.usual ? text : `<speed level='${String(level)}'>${text}</speed>`;
  const bytes = Buffer.byteLength(paced) + 1;
  const words = written(paced);
  const taken = pico._malloc(2);
  const chunks: Uint8Array[] = [];
  for (let from = 0; from < bytes; from += pico.getValue(taken, 'i16')) {
    expectOk(pico._pico_putTextUtf8(engine, words + from, bytes - from, taken));
    chunks.push(...dataOf(engine));
  }
  return { samples: samplesOf(Buffer.concat(chunks)), rate: samplesPerSecond };
}

function dataOf(engine: number): Uint8Array[] {
  const [buffer, received, type] = [pico._malloc(bufferBytes), pico._malloc(2), pico._malloc(2)];
  const chunks: Uint8Array[] = [];
  let step: number = status.busy;
  while (step === status.busy) {
    step = pico._pico_getData(engine, buffer, bufferBytes, received, type);
    if (step !== status.busy && step !== status.idle) throw new Error(`pico_status_${String(step)}`);
    chunks.push(pico.HEAPU8.slice(buffer, buffer + pico.getValue(received, 'i16')));
  }
  return chunks;
}

function samplesOf(bytes: Buffer): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(bytes.length >> 1);
  for (let place = 0; place < samples.length; place += 1)
    samples[place] = bytes.readInt16LE(place * 2) / 0x8000;
  return samples;
}

/** The address of a text, which ends with NUL. */
function written(text: string): number {
  const bytes = Buffer.from(`${text}\0`);
  const address = pico._malloc(bytes.length);
  pico.HEAPU8.set(bytes, address);
  return address;
}

/** What a call has written where it was told to. */
function addressFrom(call: (result: number) => number): number {
  const result = pico._malloc(4);
  expectOk(call(result));
  return pico.getValue(result, 'i32');
}

function expectOk(answer: number): void {
  if (answer !== status.ok) throw new Error(`pico_status_${String(answer)}`);
}

port.on('message', (part: PicoPart) => {
  const sound = speak(part);
  port.postMessage(sound, [sound.samples.buffer]);
});
