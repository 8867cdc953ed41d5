import { Agent, errors, request, WebSocket } from 'undici';
import { z } from 'zod';
import { ariApplication, type PbxSound } from '../contract/calls/pbx.ts';
import type { DialplanPlace } from '../core/ivr/destination-route.ts';
import { namedSound } from '../core/recording/pbx-sound.ts';
import { connectFailureOf, systemCodeIn } from '../network/connect-failure.ts';
import { Outgoing } from '../network/outgoing.ts';
import { AriError, AriEvent, type AriPort, eventTypes } from './ari-port.ts';

export interface AriLogin {
  /** Without `/ari`. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** How connections are made. Default: as the environment says. */
  readonly outgoing?: Outgoing | undefined;
}

const connectLimitMs = 5_000;
const answerLimitMs = 8_000;
/** Asterisk's own limit of sessions is 100 by default (`sessionlimit` of http.conf). */
const mostConnections = 32;
/** Less than `session_keep_alive` of http.conf, 15 s by default: a connection is never used as Asterisk closes it. */
const keptOpenMs = 10_000;
const keepAliveMs = 10_000;
/** The longest answer is the list of modules, some 50 KB; that of a thousand channels has less. */
const largestAnswerBytes = 1024 * 1024;
/** An event has a few kilobytes; with all variables of a channel that the dialplan made, more. */
const largestEventBytes = 256 * 1024;
const mostParts = 256;
/** Events wait in a queue, so that other work gets its turn between some of them. That of a thousand calls never gets so long. */
const longestQueue = 32 * 1024 * 1024;
/** How long events are handled without a pause, in milliseconds. */
const sliceMs = 10;
/** More channels than a host takes, many times over. */
const mostChannels = 4_000;
const longestVersion = 60;
/** All languages of the usual sounds have some 600 names each. */
const mostSounds = 4_000;
const longestSoundText = 200;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Query = Readonly<Record<string, string | number>>;

const Info = z.object({ system: z.object({ version: z.string() }) });
const Variable = z.object({ value: z.string() });
const Modules = z.array(z.object({ name: z.string(), status: z.string() }));
const StoredSound = z.object({ formats: z.array(z.object({ language: z.string() })) });
const SoundList = z.array(StoredSound.extend({ id: z.string().max(300), text: z.string().optional() }));
const Application = z.object({ channel_ids: z.array(z.string()) });

/** What an open stream of events calls. After `onEnd` nothing more comes. */
export interface EventListener {
  readonly onEvent: (event: AriEvent) => void;
  readonly onEnd: () => void;
}

/**
 * ARI of one Asterisk: requests over HTTP, events over one WebSocket.
 *
 * The password is in the Authorization header only, never in an address. Certificates are verified whatever the
 * environment says, and a redirect is an answer that no ARI gives. https://docs.asterisk.org/Latest_API/API_Documentation/Asterisk_REST_Interface/
 */
export class AriClient implements AriPort {
  readonly #base: string;
  readonly #authorization: string;
  readonly #agent: Agent;

  constructor({ url, user, password, outgoing = new Outgoing() }: AriLogin) {
    this.#base = `${url}/ari`;
    this.#authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    this.#agent = new Agent({
      connect: outgoing.connector({ timeLimitMs: connectLimitMs, keepAliveDelayMs: keepAliveMs }),
      connections: mostConnections,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: keptOpenMs,
      headersTimeout: answerLimitMs,
      bodyTimeout: answerLimitMs,
      maxResponseSize: largestAnswerBytes,
      webSocket: { maxPayloadSize: largestEventBytes, maxFragments: mostParts },
    });
  }

  /** Connects as our application; another connection of the same name is closed by Asterisk. */
  openEvents({ onEvent, onEnd }: EventListener): Promise<{ close(): void }> {
    const address = new URL(`${this.#base.replace(/^http/i, 'ws')}/events`);
    address.searchParams.set('app', ariApplication);
    address.searchParams.set('subscribeAll', 'false');
    const socket = new WebSocket(address, {
      dispatcher: this.#agent,
      headers: { authorization: this.#authorization },
    });
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      onEnd();
    };
    const close = (): void => {
      isOver = true;
      socket.close();
    };
    const events = new EventQueue((data) => {
      const event = isOver ? null : eventIn(data);
      if (event !== null) onEvent(event);
    });
    return new Promise((resolve, reject) => {
      const refuse = (): void => {
        clearTimeout(limit);
        isOver = true;
        reject(new AriError('failed', 'websocket'));
      };
      const limit = setTimeout(() => {
        refuse();
        socket.close();
      }, answerLimitMs);
      socket.addEventListener('error', refuse);
      socket.addEventListener('open', () => {
        clearTimeout(limit);
        socket.removeEventListener('error', refuse);
        // What came before the end counts before it, such as that another program has taken over.
        socket.addEventListener('error', () => events.end(end));
        socket.addEventListener('close', () => events.end(end));
        resolve({ close });
      });
      socket.addEventListener('message', ({ data }) => {
        if (isOver || typeof data !== 'string' || events.add(data)) return;
        end();
        socket.close();
      });
    });
  }

  /** The version of Asterisk, such as `22.10.1`. The first request to a new address. */
  async version(): Promise<string> {
    try {
      const answer = Info.safeParse(await this.#ask('GET', '/asterisk/info', { only: 'system' }));
      if (answer.success) return answer.data.system.version.slice(0, longestVersion);
    } catch (error) {
      if (error instanceof AriError && error.code === 'gone') throw new AriError('not_ari', '404');
      throw error;
    }
    throw new AriError('not_ari', 'unexpected answer');
  }

  /** Modules by name, and whether they run. */
  async modules(): Promise<ReadonlyMap<string, boolean>> {
    const modules = Modules.parse(await this.#ask('GET', '/asterisk/modules'));
    return new Map(modules.map(({ name, status }) => [name.replace(/\.so$/, ''), status === 'Running']));
  }

  /**
   * Whether it has a sound of this name, in any language; null when it cannot tell.
   *
   * It lists what is below a folder of a language, and takes every folder for one: `sounds/custom/welcome.wav` is `welcome` in the
   * language `custom` (main/sounds.c). Directly in the sounds folder, and outside of it, it finds nothing, but plays it.
   */
  async hasSound(name: string): Promise<boolean | null> {
    const within = name.replace(/^\/.*\/sounds\//, '');
    const slash = within.indexOf('/');
    const asked: readonly (readonly [id: string, language: string | null])[] = [
      [within, null],
      ...(slash > 0 ? [[within.slice(slash + 1), within.slice(0, slash)] as const] : []),
    ];
    for (const [id, language] of asked) {
      const answer = await this.#orNull(this.#ask('GET', `/sounds/${encodeURIComponent(id)}`));
      const found = StoredSound.safeParse(answer);
      if (found.success && found.data.formats.some((one) => language === null || one.language === language))
        return true;
    }
    if (slash < 0 || within !== name) return null;
    // Without this module every sound is unknown.
    const module = await this.#orNull(this.#ask('GET', '/asterisk/modules/res_ari_sounds.so'));
    return module === null ? null : false;
  }

  /** The sounds that it has, as menus name them; null when it cannot tell. Those directly in the sounds folder are not listed. */
  async sounds(): Promise<PbxSound[] | null> {
    const answer = SoundList.safeParse(await this.#orNull(this.#ask('GET', '/sounds')));
    if (!answer.success) return null;
    const named = answer.data.flatMap(({ id, text = '', formats }) =>
      Array.from(new Set(formats.map(({ language }) => language)), (language) => ({
        // Every folder is taken for a language: `custom/welcome` is `welcome` in the language `custom`.
        name: isLanguage(language) ? id : `${language}/${id}`,
        text: text.slice(0, longestSoundText),
      })),
    );
    const byName = new Map(named.map((sound) => [sound.name, sound]));
    return [...byName.values()]
      .filter(({ name }) => namedSound(`sound||${name}`) === name)
      .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
      .slice(0, mostSounds);
  }

  /** The channels in our application; null when Asterisk does not know it. */
  async channels(): Promise<string[] | null> {
    const answer = await this.#orNull(this.#ask('GET', `/applications/${ariApplication}`));
    return answer === null ? null : Application.parse(answer).channel_ids.slice(0, mostChannels);
  }

  /** Leaves out events that nobody here reads; older versions send them all. */
  async filterEvents(): Promise<void> {
    const allowed = eventTypes.map((type) => ({ type }));
    await this.#ask('PUT', `/applications/${ariApplication}/eventFilter`, {}, { allowed });
  }

  /** Makes Asterisk send an event of this name to our application. */
  async sendSign(name: string): Promise<void> {
    await this.#ask('POST', `/events/user/${encodeURIComponent(name)}`, { application: ariApplication });
  }

  /** Calls a phone; its channel comes to our application with these arguments when it is answered. */
  async originate(channel: string, endpoint: string, args: string, timeoutSeconds: number): Promise<void> {
    await this.#ask('POST', `/channels/${encodeURIComponent(channel)}`, {
      endpoint,
      app: ariApplication,
      appArgs: args,
      timeout: timeoutSeconds,
    });
  }

  /** Makes Asterisk fetch a sound, in a bridge that nobody is in. Returns how to end that. */
  async playToNobody(media: string): Promise<() => Promise<void>> {
    const { id } = z
      .object({ id: z.string() })
      .parse(await this.#ask('POST', '/bridges', { type: 'mixing' }));
    const end = async (): Promise<void> => {
      await this.#orNull(this.#ask('DELETE', `/bridges/${encodeURIComponent(id)}`));
    };
    try {
      await this.#ask('POST', `/bridges/${encodeURIComponent(id)}/play`, { media });
    } catch (error) {
      await end();
      throw error;
    }
    return end;
  }

  async answer(channel: string): Promise<void> {
    await this.#ask('POST', `${of(channel)}/answer`);
  }

  async play(channel: string, playback: string, media: string): Promise<void> {
    await this.#ask('POST', `${of(channel)}/play/${encodeURIComponent(playback)}`, { media });
  }

  async stopPlayback(playback: string): Promise<void> {
    await this.#orNull(this.#ask('DELETE', `/playbacks/${encodeURIComponent(playback)}`));
  }

  async isPlaying(playback: string): Promise<boolean> {
    return (await this.#orNull(this.#ask('GET', `/playbacks/${encodeURIComponent(playback)}`))) !== null;
  }

  async readVariable(channel: string, name: string): Promise<string | null> {
    const answer = await this.#orNull(this.#ask('GET', `${of(channel)}/variable`, { variable: name }));
    const parsed = Variable.safeParse(answer);
    return parsed.success && parsed.data.value !== '' ? parsed.data.value : null;
  }

  async setVariable(channel: string, name: string, value: string): Promise<void> {
    await this.#ask('POST', `${of(channel)}/variable`, {}, { variable: name, value });
  }

  /** Of a function that needs no channel, or of a global variable. */
  async setGlobal(name: string, value: string): Promise<void> {
    await this.#ask('POST', '/asterisk/variable', {}, { variable: name, value });
  }

  async continueAt(channel: string, place: DialplanPlace | null): Promise<void> {
    const query: Query =
      place === null ? {} : { context: place.context, extension: place.extension, priority: 1 };
    await this.#ask('POST', `${of(channel)}/continue`, query);
  }

  async hangUp(channel: string): Promise<void> {
    await this.#orNull(this.#ask('DELETE', of(channel), { reason: 'normal' }));
  }

  async exists(channel: string): Promise<boolean> {
    return (await this.#orNull(this.#ask('GET', of(channel)))) !== null;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #orNull<T>(asked: Promise<T>): Promise<T | null> {
    try {
      return (await asked) ?? null;
    } catch (error) {
      if (error instanceof AriError && error.code === 'gone') return null;
      throw error;
    }
  }

  async #ask(method: Method, path: string, query: Query = {}, body?: object): Promise<unknown> {
    let status: number;
    let text: string;
    try {
      const answer = await request(`${this.#base}${path}`, {
        method,
        query,
        dispatcher: this.#agent,
        headers: {
          authorization: this.#authorization,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      status = answer.statusCode;
      text = await answer.body.text();
    } catch (cause) {
      throw this.#failureOf(cause);
    }
    if (status >= 200 && status < 300) return parsed(text);
    throw refusalOf(status, text);
  }

  #failureOf(cause: unknown): AriError {
    if (cause instanceof errors.ResponseExceededMaxSizeError) {
      return new AriError('not_ari', `> ${largestAnswerBytes / 1024} KiB`, { cause });
    }
    const isTrust = connectFailureOf(cause)?.code === 'not_trusted';
    return new AriError(isTrust ? 'not_trusted' : 'not_reached', systemCodeIn(cause), { cause });
  }
}

function refusalOf(status: number, text: string): AriError {
  if (status === 401) return new AriError('signed_out', '401');
  // `type = user` with `read_only = yes` (res/res_ari.c).
  if (status === 403) return new AriError('read_only', '403');
  // 409: the channel is not in a Stasis application. 412: it is not answered yet, or is leaving.
  if (status === 404 || status === 409 || status === 412) return new AriError('gone', String(status));
  if (status >= 300 && status < 400) return new AriError('not_ari', String(status));
  const said = z.object({ message: z.string() }).safeParse(parsed(text));
  return new AriError(
    'failed',
    said.success ? `${status} ${said.data.message.slice(0, 200)}` : String(status),
  );
}

function of(channel: string): string {
  return `/channels/${encodeURIComponent(channel)}`;
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Such as `en` and `en_AU_f_Matilda`, as Asterisk's own sounds have them. */
function isLanguage(folder: string): boolean {
  return /^[a-z]{2,3}(?:_[A-Za-z0-9_]+)?$/.test(folder);
}

function eventIn(data: string): AriEvent | null {
  const event = AriEvent.safeParse(parsed(data));
  return event.success ? event.data : null;
}

/** Hands events on in their order, with a pause after some milliseconds: many come at once, and other callers wait meanwhile. */
class EventQueue {
  readonly #handle: (data: string) => void;
  #waiting: string[] = [];
  #characters = 0;
  #onEnd: (() => void) | null = null;
  #isScheduled = false;

  constructor(handle: (data: string) => void) {
    this.#handle = handle;
  }

  /** False: too many wait. */
  add(data: string): boolean {
    this.#characters += data.length;
    if (this.#characters > longestQueue) {
      this.#waiting = [];
      return false;
    }
    this.#waiting.push(data);
    this.#schedule();
    return true;
  }

  /** Calls `onEnd` after the events that came before. */
  end(onEnd: () => void): void {
    this.#onEnd = onEnd;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#handleSome());
  }

  #handleSome(): void {
    this.#isScheduled = false;
    const untilMs = performance.now() + sliceMs;
    let handled = 0;
    while (handled < this.#waiting.length && performance.now() < untilMs) {
      const data = this.#waiting[handled] ?? '';
      handled += 1;
      this.#characters -= data.length;
      this.#handle(data);
    }
    this.#waiting.splice(0, handled);
    if (this.#waiting.length > 0) this.#schedule();
    else this.#onEnd?.();
  }
}
