import { type AriPort, isOutOfReach } from './ari-port.ts';
import type { FoundPrompt } from './prompts.ts';

/** What a call plays: one sound at a time, each with a number of its own. */
export class CallSound {
  readonly #ari: () => AriPort;
  readonly #call: string;
  readonly #channel: string;
  #playback: string | null;
  /** One that was to be stopped, until Asterisk has done that. */
  #unstopped: string | null = null;
  #count: number;

  /** `carried`: of a call that an earlier start of the program ran. */
  constructor(
    { id, channel }: { readonly id: string; readonly channel: string },
    ari: () => AriPort,
    carried: { readonly playback: string | null; readonly playbacks: number } | undefined,
  ) {
    this.#call = id;
    this.#channel = channel;
    this.#ari = ari;
    this.#playback = carried?.playback ?? null;
    this.#count = carried?.playbacks ?? 0;
  }

  /** What plays now, as far as we know. */
  get playback(): string | null {
    return this.#playback;
  }

  /** How many there were. */
  get count(): number {
    return this.#count;
  }

  /** Whether Asterisk still plays it. */
  async isPlaying(): Promise<boolean> {
    return this.#playback !== null && (await this.#ari().isPlaying(this.#playback));
  }

  /** False when something else plays now: ends of stopped sounds come later. */
  hasEnded(playback: string): boolean {
    if (playback !== this.#playback) return false;
    this.#playback = null;
    return true;
  }

  /**
   * Stops what plays, and starts another sound.
   *
   * Asterisk sets no variable of a channel while a sound plays on it: the request waits for its end (res/stasis/control.c,
   * one queue of commands for each channel). So the state and a lease that lasts until after the sound are set first (`prepare`).
   */
  async start(
    { media, seconds }: FoundPrompt,
    prepare: (seconds: number) => Promise<unknown>,
  ): Promise<void> {
    const ari = this.#ari();
    const before = this.#unstopped ?? this.#playback;
    this.#unstopped = before;
    this.#count += 1;
    const playback = `${this.#call}.${this.#count}`;
    this.#playback = playback;
    try {
      await Promise.all([
        before === null ? undefined : ari.stopPlayback(before),
        prepare(Math.ceil(seconds)),
      ]);
    } catch (error) {
      this.#playback = null;
      throw error;
    }
    this.#unstopped = null;
    try {
      await ari.play(this.#channel, playback, media);
    } catch (error) {
      // Only the answer may be lost.
      if (isOutOfReach(error) && (await ari.isPlaying(playback))) return;
      this.#unstopped = playback;
      this.#playback = null;
      throw error;
    }
  }

  async stop(): Promise<void> {
    const before = this.#unstopped ?? this.#playback;
    if (before === null) return;
    this.#unstopped = before;
    this.#playback = null;
    await this.#ari().stopPlayback(before);
    this.#unstopped = null;
  }
}
