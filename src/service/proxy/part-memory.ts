import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** As many bytes of parts are left to the collector before it is asked to free them. */
const freedEveryBytes = 16 * 1024 * 1024;

type FreeYoung = () => void;

/**
 * Frees the parts of bodies once they have gone through, every 16 MiB.
 *
 * Node makes a Buffer of each part, outside of V8's heap. Left alone, V8 lets 64 MiB of them gather and then marks the whole
 * heap to find them: in this program, whose heap is 45 MB, half of the processor time of a long stream. They are all young, so a small
 * collection finds them in a millisecond. Nothing else in Node asks for one.
 */
// see decisions/credential-proxy.md
export class PartMemory {
  #freeYoung: FreeYoung | null;
  #bytes = 0;

  /** `freeYoung`: default: V8's, looked up when it is needed first. */
  constructor(freeYoung: FreeYoung | null = null) {
    this.#freeYoung = freeYoung;
  }

  /** Notes that a part has gone through. */
  passed(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < freedEveryBytes) return;
    this.#bytes = 0;
    this.#freeYoung ??= openCollector();
    this.#freeYoung();
  }
}

/** V8 gives its `gc` to contexts that are made while the flag is set; this one is the only one. */
function openCollector(): FreeYoung {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('globalThis.gc') as ((options: { type: 'minor' }) => void) | undefined;
  setFlagsFromString('--no-expose-gc');
  return () => collect?.({ type: 'minor' });
}
