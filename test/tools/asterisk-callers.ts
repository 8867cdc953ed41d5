/**
 * Callers of a test's Asterisk: each is a `Local` channel. Its first half is the caller, in the hands of ARI; the second
 * half is the call, in the dialplan.
 *
 * A test learns what happens from events and never waits for a time to pass.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { AriError, type AriRequest, type Asterisk } from './asterisk.ts';

/** An event of ARI, with what tests read in it. */
export interface AriEvent {
  readonly type: string;
  readonly timestamp: string;
  /** When it came here, by the clock of this process; that of Asterisk may be another. */
  readonly heardAtMs: number;
  readonly application: string;
  readonly channel?: AriChannel;
  /** Of `PlaybackStarted`, for example. */
  readonly playback?: { readonly id: string; readonly target_uri: string };
  /** Of `ChannelDialplan`: what begins now. */
  readonly dialplan_app?: string;
  readonly dialplan_app_data?: string;
  /** Of `ChannelDtmfReceived`. */
  readonly digit?: string;
  /** Of `ChannelVarset`. */
  readonly variable?: string;
  readonly value?: string;
}

export interface AriChannel {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly dialplan: {
    readonly context: string;
    readonly exten: string;
    readonly priority: number;
    readonly app_name: string;
    readonly app_data: string;
  };
}

/** Ends a test in which nothing happens any more; nothing waits for this time to pass. */
const silenceMs = 30_000;

export class AsteriskCallers {
  /** Every channel since the beginning, by its id: a name such as `Local/s@menu-00000001;2`. */
  readonly channels = new Map<string, string>();
  readonly #asterisk: Asterisk;
  readonly #app: string;
  readonly #socket: WebSocket;
  readonly #listeners = new Map<string, (event: AriEvent) => void>();

  private constructor(asterisk: Asterisk, app: string, socket: WebSocket) {
    this.#asterisk = asterisk;
    this.#app = app;
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) =>
      this.#hear({ ...(JSON.parse(String(data)) as AriEvent), heardAtMs: Date.now() }),
    );
  }

  /** `app` is the ARI application that owns the callers; several may be connected under different names. */
  static async connect(asterisk: Asterisk, app = 'callers'): Promise<AsteriskCallers> {
    const url = new URL(`${asterisk.url.replace('http', 'ws')}/ari/events`);
    url.search = String(
      new URLSearchParams({
        app,
        subscribeAll: 'true',
        api_key: `${asterisk.user}:${asterisk.password}`,
      }),
    );
    const socket = new WebSocket(url);
    const callers = new AsteriskCallers(asterisk, app, socket);
    await once(socket, 'open');
    return callers;
  }

  /** Somebody calls an extension of a context, such as `s@rotavox_reception`. */
  async call(place: string, variables: Readonly<Record<string, string>> = {}): Promise<AsteriskCaller> {
    // Asterisk 22 takes an id for used when that of another channel begins with it.
    const id = randomUUID();
    const ids = { caller: `caller-${id}`, call: `call-${id}` };
    const caller = new AsteriskCaller(this.#asterisk, ids);
    // Before they exist, so that no event is missed.
    this.#listeners.set(ids.call, (event) => caller.hear(event));
    await this.#asterisk.ari('POST', '/channels', {
      query: {
        endpoint: `Local/${place}/n`,
        app: this.#app,
        channelId: ids.caller,
        otherChannelId: ids.call,
      },
      body: { variables },
    });
    return caller;
  }

  async close(): Promise<void> {
    // Asterisk may have ended it.
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.#socket, 'close');
    this.#socket.close();
    await closed;
  }

  #hear(event: AriEvent): void {
    const { channel, playback } = event;
    if (channel !== undefined) this.channels.set(channel.id, channel.name);
    const id = channel?.id ?? playback?.target_uri.replace(/^channel:/, '');
    if (id !== undefined) this.#listeners.get(id)?.(event);
  }
}

export class AsteriskCaller {
  /** Everything that happened to the call until now. */
  readonly events: AriEvent[] = [];
  readonly ids: { readonly caller: string; readonly call: string };
  readonly #asterisk: Asterisk;
  #read = 0;
  #wake: (() => void) | undefined;

  constructor(asterisk: Asterisk, ids: { readonly caller: string; readonly call: string }) {
    this.#asterisk = asterisk;
    this.ids = ids;
  }

  hear(event: AriEvent): void {
    this.events.push(event);
    this.#wake?.();
  }

  /** The next event of the call that is like this, after the one that was returned last. */
  async next(isWanted: (event: AriEvent) => boolean = () => true): Promise<AriEvent> {
    for (;;) {
      for (let event = this.events[this.#read]; event !== undefined; event = this.events[this.#read]) {
        this.#read += 1;
        if (isWanted(event)) return event;
        if (event.type === 'ChannelDestroyed') throw new Error(`The call has ended.\n${this.story()}`);
      }
      await this.#happening();
    }
  }

  /** When the next application of the dialplan with this name begins, as Asterisk writes it: `WaitExten`, `BackGround`. */
  begins(application: string): Promise<AriEvent> {
    return this.next(({ type, dialplan_app: app }) => type === 'ChannelDialplan' && app === application);
  }

  /** When the call goes on in a context of the dialplan. */
  arrivesAt(context: string): Promise<AriEvent> {
    return this.next(
      ({ type, channel }) => type === 'ChannelDialplan' && channel?.dialplan.context === context,
    );
  }

  /**
   * Presses keys: `1`, or `101#`. False: the call had ended before, which its events say. `pace`: how long each key and each pause lasts, in
   * milliseconds; as a person does it by default.
   */
  press(keys: string, pace?: { readonly key: number; readonly pause: number }): Promise<boolean> {
    const times = pace === undefined ? {} : { duration: pace.key, between: pace.pause };
    return this.#ari('POST', '/dtmf', { query: { dtmf: keys, ...times } });
  }

  /** Hangs up, and waits until the call is gone: for its event, which once in some thousand calls did not come, so Asterisk is asked then. */
  async hangUp(): Promise<void> {
    await this.#ari('DELETE', '');
    const ended = new AbortController();
    const isGone = async (): Promise<void> => {
      do await wait(5_000, undefined, { signal: ended.signal });
      while (await this.#isThere());
    };
    try {
      await Promise.race([this.next(({ type }) => type === 'ChannelDestroyed'), isGone()]);
    } finally {
      ended.abort();
    }
  }

  async #isThere(): Promise<boolean> {
    try {
      await this.#asterisk.ari('GET', `/channels/${this.ids.call}`);
      return true;
    } catch (error) {
      if (!(error instanceof AriError) || error.status !== 404) throw error;
      return false;
    }
  }

  /** False: the channel is gone, or is going: then it has left the application already (409). */
  async #ari(method: string, path: string, request?: AriRequest): Promise<boolean> {
    try {
      await this.#asterisk.ari(method, `/channels/${this.ids.caller}${path}`, request);
      return true;
    } catch (error) {
      if (!(error instanceof AriError) || (error.status !== 404 && error.status !== 409)) throw error;
      return false;
    }
  }

  /** The events as lines, for messages of tests. */
  story(): string {
    return this.events.map(lineOf).join('\n');
  }

  #happening(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`Nothing happens in the call any more.\n${this.story()}`));
      }, silenceMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function lineOf({ type, timestamp, channel, digit = '', ...event }: AriEvent): string {
  const { context = '', exten = '', priority = 0 } = channel?.dialplan ?? {};
  const { dialplan_app: app = '', dialplan_app_data: data = '' } = event;
  return `${timestamp} ${type} ${context},${exten},${priority} ${app}(${data}) ${digit}`;
}
