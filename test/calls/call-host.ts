/**
 * A program with phone menus for a test's Asterisk: in this process, or in one of its own that can be killed.
 *
 * What it says about calls is read from its event stream, as a window does.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import {
  type CallArguments,
  type Client,
  createClient,
  type ReplyOf,
} from '../../src/client/create-client.ts';
import { type CallDetail, CallsNotice, type LiveCall } from '../../src/contract/calls/call.ts';
import type { IvrDocument } from '../../src/contract/menu/ivr-draft.ts';
import type { IvrBodyInput } from '../../src/contract/menu/ivr.ts';
import type { RouteName } from '../../src/contract/routes.ts';
import type { PbxState } from '../../src/contract/calls/pbx.ts';
import { handOverContext, handOverLines } from '../../src/core/calls/asterisk-lines.ts';
import { entryName } from '../../src/core/ivr/export/dialplan-names.ts';
import { encodeWav } from '../../src/core/recording/wav.ts';
import { startHost } from '../../src/host/start-host.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';
import { ivrBody } from '../fixtures/ivr-bodies.ts';
import { runtimeFileOf } from '../host/runtime-file-of.ts';
import { type Asterisk, type AsteriskOptions, startAsterisk } from '../tools/asterisk.ts';

const passphrase = 'a passphrase for tests only';
/** Ends a test that waits for what does not happen, while the stream says that the program is alive. */
const waitMs = 120_000;

/** The dialplan around the menus: their fallback, which says so and waits, and where destinations are. */
const surroundings = `
[rotavox_reception]
exten => s,1,Answer()
 same => n,NoOp(fallback)
 same => n,Wait(60)
[from-internal]
exten => _1XX,1,Answer()
 same => n,NoOp(destination)
 same => n,Wait(60)
exten => _*.,1,NoOp(voicemail)
 same => n,Wait(60)
`;

/** Half a minute; long enough to be interrupted by a key. */
export function tone(seconds: number): Uint8Array<ArrayBuffer> {
  const samples = Float32Array.from({ length: seconds * 8000 }, (_, at) => Math.sin(at / 5) / 3);
  return encodeWav({ samples, rate: 8000 });
}

interface Running {
  readonly close: () => Promise<void>;
  readonly kill: () => Promise<void>;
}

export class CallHost {
  readonly dataDir: string;
  client!: Client;
  baseUrl = '';
  readonly live = new Map<string, LiveCall>();
  readonly ended: string[] = [];
  #running: Running | null = null;
  #loaded: LoadedProgram | null = null;
  #stopFollowing = new AbortController();
  /** Of calls that ended, which do not change any more. */
  readonly #records = new Map<string, CallDetail>();
  readonly #wakes = new Set<() => void>();

  /** Of a program that runs already; default: a folder for one of its own. */
  constructor(dataDir: string = mkdtempSync(join(tmpdir(), 'rotavox-calls-'))) {
    this.dataDir = dataDir;
  }

  /** After `close` or `kill`. */
  async remove(): Promise<void> {
    await this.#loaded?.end('SIGKILL');
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** `inProcess: false`: a process that `kill` ends without warning. `clock`: of one in this process. */
  async start({
    inProcess = true,
    clock,
  }: { inProcess?: boolean; clock?: () => number } = {}): Promise<void> {
    this.#running = inProcess ? await this.#startHere(clock) : await this.#startProcess();
    await this.follow();
  }

  /** Follows the calls of the program that runs on the folder: what is known of them begins anew. */
  async follow(): Promise<void> {
    this.#stopFollowing.abort();
    const { base_url, portal_key } = runtimeFileOf(this.dataDir);
    this.baseUrl = base_url;
    const authorization = `Bearer ${portal_key}`;
    this.client = createClient({ baseUrl: base_url, authorization });
    this.live.clear();
    this.#stopFollowing = new AbortController();
    await this.#openStream(authorization);
    for (const call of (await this.ask('liveCalls')).calls) this.live.set(call.id, call);
  }

  async #startHere(clock: (() => number) | undefined): Promise<Running> {
    const vault = { kind: 'file', passphrase, cost: cheapScrypt } as const;
    const host = await startHost({ dataDir: this.dataDir, port: 0, vault, clock });
    return { close: () => host.close(), kill: () => host.close() };
  }

  /** Loads the program that `start({ inProcess: false })` starts next: a caller waits for it no longer than a lease lasts. */
  async load(): Promise<void> {
    this.#loaded = await LoadedProgram.load(this.dataDir);
  }

  async #startProcess(): Promise<Running> {
    const program = this.#loaded ?? (await LoadedProgram.load(this.dataDir));
    this.#loaded = null;
    await program.start();
    return { close: () => program.end('SIGTERM'), kill: () => program.end('SIGKILL') };
  }

  async close(): Promise<void> {
    this.#stopFollowing.abort();
    await this.#running?.close();
    this.#running = null;
  }

  async kill(): Promise<void> {
    this.#stopFollowing.abort();
    await this.#running?.kill();
    this.#running = null;
  }

  /** The result of a call that has to succeed. */
  async ask<N extends RouteName>(name: N, ...input: CallArguments<N>): Promise<ReplyOf<N>> {
    const outcome = await this.client.call(name, ...input);
    if (!outcome.ok) throw new Error(`${name}: ${JSON.stringify(outcome)}`);
    return outcome.value;
  }

  async addMenu(changes: Partial<IvrBodyInput> = {}): Promise<string> {
    const { id } = await this.ask('portalCreateIvr', { body: { ...ivrBody, ...changes } });
    return id;
  }

  /** Publishes a call flow here, and returns the id of what it begins with. */
  async publish(document: IvrDocument): Promise<string> {
    const { id, revision } = await this.ask('createDraft', { body: { document } });
    const published = { params: { id }, body: { revision, credential: null } };
    const { outcome, message } = await this.ask('publishDraft', published);
    if (outcome !== 'published') throw new Error(`${message}\n${JSON.stringify(document)}`);
    const { publications } = await this.ask('readDraft', { params: { id } });
    return publications[0]!.menus[document.caller.to!]!;
  }

  async addRecording(id: string, seconds: number): Promise<void> {
    await this.ask('uploadRecording', { query: { id, name: `Recording ${id}` }, body: tone(seconds) });
  }

  async addPbx(asterisk: Asterisk, url = asterisk.url): Promise<void> {
    const { user, password } = asterisk;
    await this.ask('addPbx', { body: { name: 'office', url, user, password } });
    await this.pbxState((state) => state.status === 'connected');
  }

  async pbxState(isWanted: (state: PbxState) => boolean): Promise<PbxState> {
    return this.until(async () => {
      const [pbx] = (await this.ask('listPbxs')).pbxs;
      return pbx !== undefined && isWanted(pbx.state) ? pbx.state : null;
    });
  }

  /** The first live call that is like this. */
  liveCall(isWanted: (call: LiveCall) => boolean): Promise<LiveCall> {
    return this.until(() => [...this.live.values()].find(isWanted) ?? null);
  }

  /** The record of a call that ended, the first that is like this. */
  record(isWanted: (call: CallDetail) => boolean = () => true): Promise<CallDetail> {
    return this.until(async () => {
      for (const id of this.ended) {
        const read = this.#records.get(id) ?? (await this.ask('readCall', { params: { id } }));
        this.#records.set(id, read);
        if (isWanted(read)) return read;
      }
      return null;
    });
  }

  /** Looks again after each event. */
  async until<T>(look: () => Promise<T | null> | T | null): Promise<T> {
    const endAt = performance.now() + waitMs;
    for (;;) {
      const { promise, resolve, reject } = Promise.withResolvers<undefined>();
      const wake = (): void => resolve(undefined);
      this.#wakes.add(wake);
      const timer = setTimeout(
        () => void this.#story().then((story) => reject(new Error(`It does not happen. ${story}`))),
        Math.max(endAt - performance.now(), 0),
      );
      try {
        const found = await look();
        if (found !== null) return found;
        await promise;
      } finally {
        clearTimeout(timer);
        this.#wakes.delete(wake);
      }
    }
  }

  /** What is known of the calls, and how each ended, for messages of tests. */
  async #story(): Promise<string> {
    const ends = await Promise.all(
      this.ended.map(async (id) => {
        const read = await this.ask('readCall', { params: { id } }).catch(() => null);
        return `${id} ${read === null ? 'which cannot be read' : JSON.stringify([read.ended_at, read.end])}`;
      }),
    );
    return `Live: ${JSON.stringify([...this.live.values()])}, ended: ${ends.join(', ')}`;
  }

  async #openStream(authorization: string): Promise<void> {
    const reply = await fetch(`${this.baseUrl}/portal/events`, {
      headers: { authorization },
      signal: this.#stopFollowing.signal,
    });
    const lines = async (): Promise<void> => {
      let rest = '';
      for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) this.#hear(block);
      }
    };
    lines().catch(() => undefined);
  }

  #hear(block: string): void {
    const [, kind, data] = /^event: (\w+)\n(?:id: \d+\n)?data: (.*)$/.exec(block) ?? [];
    if (kind === 'calls' && data !== undefined) {
      const { changed, ended } = CallsNotice.parse(JSON.parse(data));
      for (const call of changed) this.live.set(call.id, call);
      for (const id of ended) {
        this.live.delete(id);
        this.ended.push(id);
      }
    }
    for (const wake of this.#wakes) wake();
  }
}

/** The program in a process of its own, loaded and not started. */
class LoadedProgram {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  readonly #ended: Promise<unknown>;

  private constructor(child: ChildProcessByStdio<Writable, Readable, null>) {
    this.#child = child;
    this.#lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    this.#ended = once(child, 'exit');
  }

  static async load(dataDir: string): Promise<LoadedProgram> {
    const file = join(import.meta.dirname, 'serve-calls.ts');
    const args = [file, '--data-dir', dataDir, '--passphrase', passphrase];
    const program = new LoadedProgram(spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] }));
    await program.#line();
    return program;
  }

  async start(): Promise<void> {
    this.#child.stdin.write('start\n');
    await this.#line();
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.#child.kill(signal);
    await this.#ended;
  }

  async #line(): Promise<void> {
    if ((await this.#lines.next()).done === true) throw new Error('The program did not start.');
  }
}

/** A reception with three menus, and an Asterisk that hands calls over to it, also at `s@menu`. */
export async function startReception(
  host: CallHost,
  options: AsteriskOptions & { readonly body?: Partial<IvrBodyInput>; readonly promptSeconds?: number } = {},
): Promise<{ readonly asterisk: Asterisk; readonly ivr: string; readonly place: string }> {
  const { body = {}, promptSeconds = 0.3, ...asteriskOptions } = options;
  for (const id of ['11', '12', '13', '14']) await host.addRecording(id, id === '11' ? promptSeconds : 0.2);
  const ivr = await host.addMenu(body);
  const { name } = { ...ivrBody, ...body };
  const handOver = handOverContext({ id: ivr, name });
  const dialplan = `${handOverLines({ id: ivr, name }).lines.join('\n')}
[menu]
exten => s,1,Goto(${handOver},s,1)
[${entryName({ id: ivr, name })}]
exten => s,1,Goto(rotavox_reception,s,1)
${surroundings}`;
  const asterisk = await startAsterisk({
    modules: ['chan_bridge_media', 'func_db', 'func_dialplan', 'app_stasis'],
    ...asteriskOptions,
    extensions: dialplan + (asteriskOptions.extensions ?? ''),
  });
  return { asterisk, ivr, place: `s@${handOver}` };
}
