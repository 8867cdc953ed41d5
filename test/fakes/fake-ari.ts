import type { DialplanPlace } from '../../src/core/ivr/destination-route.ts';
import { AriError, type AriPort } from '../../src/calls/ari-port.ts';

/**
 * One channel of Asterisk as its REST interface shows it. The suite of calls on a real Asterisk checks the same rules:
 *
 * - Commands of a channel wait for each other, and a sound that plays is one (res/stasis/control.c): a variable is set only
 *   when it has ended.
 * - The end of a playback is an event; that of one that was stopped, too.
 * - After `continue` or a hang-up the channel is gone for us: 404.
 */
export class FakeAri implements AriPort {
  /** What was asked, in the order in which it took effect. */
  readonly done: string[] = [];
  readonly variables = new Map<string, string>();
  /** What does not exist in the dialplan. */
  readonly missing = new Set<string>();
  /** Fails every request while it is not null. */
  failure: AriError | null = null;
  /** The beginning of one request that does not arrive, while the others do. */
  lost: string | null = null;
  onFinished: (playback: string, state: string) => void = () => undefined;
  #playing: string | null = null;
  #waiting: (() => void)[] = [];
  #isGone = false;

  get playing(): string | null {
    return this.#playing;
  }

  /** The sound is over, or could not be played. */
  finish(state: 'done' | 'failed' = 'done'): void {
    const playback = this.#playing;
    this.#playing = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const act of waiting) act();
    if (playback !== null) this.onFinished(playback, state);
  }

  async answer(): Promise<void> {
    await this.#act('answer');
  }

  async play(_channel: string, playback: string, media: string): Promise<void> {
    await this.#act(`play ${media}`);
    this.#playing = playback;
  }

  async stopPlayback(playback: string): Promise<void> {
    await this.#act('stop');
    if (this.#playing === playback) this.finish();
  }

  async isPlaying(playback: string): Promise<boolean> {
    await this.#act('is playing');
    return this.#playing === playback;
  }

  async readVariable(_channel: string, name: string): Promise<string | null> {
    await this.#act(`read ${name}`);
    if (name.startsWith('DIALPLAN_EXISTS')) return this.missing.has(name) ? '0' : '1';
    return this.variables.get(name) ?? null;
  }

  async setVariable(_channel: string, name: string, value: string): Promise<void> {
    if (this.failure !== null) throw this.failure;
    if (this.#playing !== null) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      this.#waiting.push(() => resolve(undefined));
      await promise;
    }
    await this.#act(name === 'ROTAVOX_CALL' ? 'set state' : `set ${name}=${value}`);
    this.variables.set(name, value);
  }

  async continueAt(_channel: string, place: DialplanPlace | null): Promise<void> {
    await this.#act(place === null ? 'continue' : `continue ${place.context},${place.extension}`);
    this.#isGone = true;
  }

  async hangUp(): Promise<void> {
    await this.#act('hang up');
    this.#isGone = true;
  }

  async exists(): Promise<boolean> {
    await this.#act('exists');
    return !this.#isGone;
  }

  #act(what: string): Promise<void> {
    if (this.failure !== null) return Promise.reject(this.failure);
    if (this.lost !== null && what.startsWith(this.lost)) {
      this.lost = null;
      return Promise.reject(new AriError('not_reached', 'ECONNRESET'));
    }
    if (this.#isGone && what !== 'exists') return Promise.reject(new AriError('gone', '404'));
    this.done.push(what);
    return Promise.resolve();
  }
}
