/** What stands where a value stood. */
const mask = '••••';
/** So much of the beginning of a value is not there by chance; less is emitted, it may be a public prefix. */
const tellingBytes = 8;

/**
 * The last bytes of what a program prints, without the value it was given.
 *
 * The value is replaced before anything is cut off, also where it comes in pieces; otherwise the cut could leave a
 * part of it. Bytes are kept as latin1, one character each, until they are read.
 */
export class MaskedTail {
  readonly #limitBytes: number;
  readonly #streams: Readonly<Record<'stdout' | 'stderr', MaskedStream>>;
  #tail = '';

  constructor(value: string, limitBytes: number) {
    this.#limitBytes = limitBytes;
    this.#streams = { stdout: new MaskedStream(value), stderr: new MaskedStream(value) };
  }

  add(stream: 'stdout' | 'stderr', chunk: Buffer): void {
    this.#keep(this.#streams[stream].pass(chunk.toString('latin1')));
  }

  /** The text so far; ends both streams. */
  end(): string {
    this.#keep(this.#streams.stdout.end() + this.#streams.stderr.end());
    // The cut may have left the last bytes of a character.
    const whole = this.#tail.replace(/^[\x80-\xBF]{1,3}/, '');
    return Buffer.from(whole, 'latin1').toString().trim();
  }

  #keep(text: string): void {
    this.#tail = (this.#tail + text).slice(-this.#limitBytes);
  }
}

/** Replaces the value in one stream; holds back what may be the beginning of it. */
class MaskedStream {
  readonly #value: string;
  readonly #mask = Buffer.from(mask).toString('latin1');
  #held = '';

  constructor(value: string) {
    this.#value = Buffer.from(value).toString('latin1');
  }

  pass(text: string): string {
    if (this.#value === '') return text;
    const pieces = (this.#held + text).split(this.#value);
    const last = pieces.pop() ?? '';
    this.#held = last.slice(last.length - this.#sharedLength(last));
    return [...pieces, last.slice(0, last.length - this.#held.length)].join(this.#mask);
  }

  end(): string {
    const rest = this.#held.length >= tellingBytes ? this.#mask : this.#held;
    this.#held = '';
    return rest;
  }

  /** How many characters at the end of the text are the beginning of the value. */
  #sharedLength(text: string): number {
    let length = Math.min(this.#value.length - 1, text.length);
    while (length > 0 && !text.endsWith(this.#value.slice(0, length))) length -= 1;
    return length;
  }
}
