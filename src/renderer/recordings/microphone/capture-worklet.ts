/*
 * Runs beside the page, on the thread that audio is made on: hands over what the microphone hears, sample by sample.
 *
 * A script of its own from our own origin, so that the Content-Security-Policy needs no exception. The names below are
 * of that thread's world, which no library of TypeScript describes.
 */
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** Samples handed over at once: some twenty times a second. */
const blockLength = 2048;

class CaptureProcessor extends AudioWorkletProcessor {
  #block = new Float32Array(blockLength);
  #filled = 0;
  #isOver = false;

  constructor() {
    super();
    this.port.onmessage = () => {
      this.port.postMessage(this.#block.slice(0, this.#filled));
      this.port.postMessage('over');
      this.#isOver = true;
    };
  }

  /** Called for each 128 samples; an input that is gone has no channel. Answers whether to go on. */
  process([input]: readonly (readonly Float32Array[])[]): boolean {
    for (const sample of input?.[0] ?? []) {
      this.#block[this.#filled] = sample;
      this.#filled += 1;
      if (this.#filled < blockLength) continue;
      this.port.postMessage(this.#block, [this.#block.buffer]);
      this.#block = new Float32Array(blockLength);
      this.#filled = 0;
    }
    return !this.#isOver;
  }
}

registerProcessor('rotavox-capture', CaptureProcessor);
