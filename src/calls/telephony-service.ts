/**
 * Calls: phone menus on real telephone systems. It connects to Asterisk (ARI), runs each call with the step function of
 * `core`, and tells the records of calls what happened. The dialplan of Asterisk keeps trunks, phones and the way out.
 * Start reading here, then `pbx-connection.ts` (one telephone system), `run-call.ts` (one call), `prompts.ts` (what is heard).
 * Without a telephone system nothing but this file is loaded.
 */
// see decisions/calls-through-asterisk.md
import { randomBytes } from 'node:crypto';
import type { CallId, CallsNotice, LiveCall } from '../contract/calls/call.ts';
import { vaultService } from '../contract/credential/credential.ts';
import type { DraftId } from '../contract/menu/ivr-draft.ts';
import type {
  AddPbx,
  ChangePbx,
  Pbx,
  PbxId,
  PbxProblem,
  PbxSounds,
  PbxState,
  PbxTest,
  PbxView,
  RingPhone,
  SilentPrompt,
} from '../contract/calls/pbx.ts';
import { addPbx, changedPbx, changePbx, checkNewPbx, findPbx, removePbx } from '../core/calls/change-pbx.ts';
import { flowOfStored, withStoredMenus } from '../core/calls/flow-of-stored.ts';
import type { PromptAudio, Telephony } from '../core/calls/telephony.ts';
import { flowOfBody } from '../core/ivr/body/flow-of-body.ts';
import { stateDirectory } from '../core/ivr/change-ivr.ts';
import { compileDraft } from '../core/ivr/compile/compile-draft.ts';
import { promptsOf } from '../core/ivr/export/dialplan-names.ts';
import type { Clock, Ledger } from '../core/ledger.ts';
import type { RecordingFiles } from '../core/recording/recording-files.ts';
import { done, refused, type Result } from '../core/result.ts';
import { type Vault, type VaultEntry, VaultUnavailable } from '../core/vault.ts';
import type { Outgoing } from '../network/outgoing.ts';
import type { PbxConnection, RingWanted } from './pbx-connection.ts';
import type { PromptAddresses } from './prompts.ts';
import type { CallLog } from './call-log.ts';
import type { Timer } from './call-timer.ts';

export interface TelephonyOptions {
  readonly ledger: Ledger;
  readonly vault: Vault;
  readonly recordingFiles: RecordingFiles;
  /** Opens the log of calls, for the first telephone system. */
  readonly openLog: () => Promise<CallLog>;
  /** How connections are made. Default: as the environment says. */
  readonly outgoing?: Outgoing;
  readonly clock: Clock;
  /** Where an Asterisk at this address fetches prompts: an address of the service. */
  readonly baseUrl: (pbxUrl: string) => string;
  readonly onFailure: (error: unknown) => void;
}

/** Ten times a second. */
const noticeEveryMs = 100;
/** How long a test waits for a connection that is being made. */
const tryLimitMs = 10_000;

/** Loaded with the first telephone system. */
interface Engine {
  readonly log: CallLog;
  readonly PbxConnection: typeof PbxConnection;
  readonly prompts: PromptAddresses;
  readonly timer: Timer;
}

/** Implements the port. Before `start` it only answers requests. */
export class TelephonyService implements Telephony {
  readonly #options: TelephonyOptions;
  readonly #connections = new Map<PbxId, PbxConnection>();
  readonly #callListeners = new Set<(notice: CallsNotice) => void>();
  readonly #stateListeners = new Set<() => void>();
  readonly #changed = new Map<string, LiveCall>();
  readonly #ended = new Set<CallId>();
  #engine: Promise<Engine> | null = null;
  #loaded: Engine | null = null;
  #noticeTimer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #stopListening: () => void = () => undefined;

  constructor(options: TelephonyOptions) {
    this.#options = options;
  }

  /** Connects to the telephone systems that there are. */
  start(): void {
    const { ledger } = this.#options;
    for (const pbx of ledger.state.pbxs.values()) this.#connect(pbx);
    this.#stopListening = ledger.subscribe(({ kind }) => {
      if (!kind.startsWith('schedule.')) return;
      for (const connection of this.#connections.values()) connection.tellSwitches();
    });
  }

  /** After sleep, or when the network is back: tries at once what waits for its next try. */
  wake(): void {
    for (const connection of this.#connections.values()) connection.wake();
  }

  /** Calls under way wait for the next start, or go to their fallback when their lease is over. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    clearTimeout(this.#noticeTimer);
    await this.#engine?.catch(() => undefined);
    await Promise.all(Array.from(this.#connections.values(), (one) => one.close()));
  }

  pbxs(): PbxView[] {
    return Array.from(this.#options.ledger.state.pbxs.values(), (pbx) => this.#view(pbx));
  }

  async addPbx(wanted: AddPbx): Promise<Result<PbxView, PbxProblem>> {
    const { ledger } = this.#options;
    const checked = checkNewPbx(ledger.state, wanted);
    if (!checked.ok) return checked;
    const entry = passwordEntry(wanted.name);
    // The secret first, then the record: a crash leaves an orphan entry, never a record without a password.
    if (!(await this.#keep(entry, wanted.password))) return refused({ kind: 'vault' });
    const id = `pbx_${randomBytes(9).toString('hex')}` as PbxId;
    const added = await ledger.transact((state, nowMs) => addPbx(state, id, wanted, nowMs));
    if (!added.ok) {
      await this.#forget(entry);
      return added;
    }
    this.#connect(added.value);
    return done(this.#view(added.value));
  }

  async changePbx(name: string, wanted: ChangePbx): Promise<Result<PbxView, PbxProblem>> {
    const { ledger } = this.#options;
    const checked = changedPbx(ledger.state, name, wanted);
    if (!checked.ok) return checked;
    const before = findPbx(ledger.state, name);
    const entry = passwordEntry(checked.value.name);
    if (wanted.password !== undefined && !(await this.#keep(entry, wanted.password)))
      return refused({ kind: 'vault' });
    const changed = await ledger.transact((state) => changePbx(state, name, wanted));
    if (!changed.ok) return changed;
    const pbx = changed.value;
    const isOtherLogin =
      wanted.password !== undefined ||
      (before.ok && (before.value.url !== pbx.url || before.value.user !== pbx.user));
    this.#connections.get(pbx.id)?.change(pbx, isOtherLogin);
    return done(this.#view(pbx));
  }

  async removePbx(name: string): Promise<Result<{ readonly name: string }, PbxProblem>> {
    const removed = await this.#options.ledger.transact((state) => removePbx(state, name));
    if (!removed.ok) return removed;
    const { id, name: known } = removed.value;
    const connection = this.#connections.get(id);
    this.#connections.delete(id);
    await connection?.giveUp();
    await this.#forget(passwordEntry(known));
    this.#tellState();
    return done({ name: known });
  }

  async testPbx(name: string): Promise<Result<PbxTest, PbxProblem>> {
    const { ledger } = this.#options;
    const found = findPbx(ledger.state, name);
    if (!found.ok) return found;
    const pbx = found.value;
    const { prompts } = await this.#load();
    const { testPbx } = await import('./test-pbx.ts');
    const [menu = null] = ledger.state.ivrs.values();
    try {
      const password = (): Promise<string | null> => this.#passwordOf(pbx);
      const test = await testPbx({
        pbx,
        password,
        outgoing: this.#options.outgoing,
        triedState: () => this.#triedState(pbx),
        prompts,
        callsOutside: ledger.state.settings.outside_countries.length > 0,
        menu,
        hasHours: ledger.state.schedules.size > 0,
      });
      this.#connections.get(pbx.id)?.tryAgain();
      const hasFailed = test.checks.some(({ trouble }) => trouble !== null);
      return done({ ...test, silent: hasFailed ? [] : await this.#silentMenus(pbx) });
    } catch (error) {
      if (error instanceof VaultUnavailable) return refused({ kind: 'vault' });
      throw error;
    }
  }

  async checkPrompts({ prompts, speech }: Parameters<Telephony['checkPrompts']>[0]): Promise<SilentPrompt[]> {
    const { state } = this.#options.ledger;
    const { pbxs } = state;
    const { findWithoutPbx, silentPrompts } = await import('./silent-prompts.ts');
    const [first] = pbxs.values();
    const prompted = first === undefined ? null : (await this.#load()).prompts.at(() => first.url);
    const owners = Array.from(pbxs.values(), ({ id, name }) => ({
      name,
      hasSound: (sound: string) => this.#connections.get(id)?.hasSound(sound) ?? Promise.resolve(null),
    }));
    return silentPrompts(
      prompts,
      prompted === null ? findWithoutPbx(state, speech) : (prompt) => prompted.find(prompt, speech),
      owners,
    );
  }

  async sounds(): Promise<PbxSounds> {
    const pbxs = Array.from(this.#options.ledger.state.pbxs.values(), async ({ id, name }) => ({
      name,
      sounds: (await this.#connections.get(id)?.sounds()) ?? null,
    }));
    return { pbxs: await Promise.all(pbxs) };
  }

  async ring(
    name: string,
    { endpoint, menu }: RingPhone,
  ): Promise<Result<{ readonly call: string }, PbxProblem>> {
    const found = findPbx(this.#options.ledger.state, name);
    if (!found.ok) return found;
    const wanted = this.#flowFor(menu);
    if (!wanted.ok) return wanted;
    const connection = this.#connections.get(found.value.id);
    const state = this.#stateOf(found.value);
    if (connection === undefined || state.status !== 'connected') {
      const trouble =
        state.status === 'unreachable'
          ? state.trouble
          : { code: 'not_reached' as const, detail: 'connecting' };
      return refused({ kind: 'unreachable', name: found.value.name, trouble });
    }
    const { AriError } = await import('./ari-port.ts');
    try {
      return done({ call: await connection.ring(endpoint, wanted.value) });
    } catch (error) {
      if (!(error instanceof AriError)) throw error;
      return refused({ kind: 'endpoint_refused', endpoint, detail: error.detail });
    }
  }

  live(): LiveCall[] {
    return [...this.#connections.values()].flatMap((connection) => connection.live());
  }

  onCalls(listener: (notice: CallsNotice) => void): () => void {
    this.#callListeners.add(listener);
    return () => {
      this.#callListeners.delete(listener);
    };
  }

  onPbxState(listener: () => void): () => void {
    this.#stateListeners.add(listener);
    return () => {
      this.#stateListeners.delete(listener);
    };
  }

  async readPrompt(path: string): Promise<PromptAudio | null> {
    // Nobody was given an address before.
    return (await this.#loaded?.prompts.read(path)) ?? null;
  }

  /** What callers of this telephone system do not hear of the stored menus. */
  async #silentMenus(pbx: Pbx): Promise<PbxTest['silent']> {
    const menus = Array.from(this.#options.ledger.state.ivrs.values(), (ivr) => ({
      menu: ivr.name,
      speech: ivr.speech,
      prompts: new Set([...flowOfBody(ivr).menus.values()].flatMap(promptsOf)),
    }));
    const alike = [...Map.groupBy(menus, ({ speech }) => JSON.stringify(speech)).values()];
    const silent = alike.map(async (group) => {
      const prompts = group.flatMap((menu) => [...menu.prompts]);
      const found = await this.checkPrompts({ prompts, speech: group[0]?.speech });
      const here = found.filter((one) => one.pbx === null || one.pbx === pbx.name);
      return group.flatMap((one) =>
        here.filter(({ prompt }) => one.prompts.has(prompt)).map((two) => ({ ...two, menu: one.menu })),
      );
    });
    return (await Promise.all(silent)).flat();
  }

  #flowFor(menu: RingPhone['menu']): Result<RingWanted, PbxProblem> {
    const { state } = this.#options.ledger;
    if ('ivr' in menu) {
      const flow = flowOfStored(state.ivrs, menu.ivr, state);
      return flow === null
        ? refused({ kind: 'menu_not_found', id: menu.ivr.slice(0, 200) })
        : done({ flow, ivr: menu.ivr, draft: null });
    }
    const draft = state.drafts.get(menu.draft as DraftId);
    if (draft === undefined) return refused({ kind: 'menu_not_found', id: menu.draft.slice(0, 200) });
    const compiled = compileDraft(draft.document, stateDirectory(state));
    return compiled.ok
      ? done({
          flow: withStoredMenus(compiled.value, state.ivrs, state),
          ivr: compiled.value.start,
          draft: draft.id,
        })
      : refused({ kind: 'draft_has_errors', count: compiled.refusal.length });
  }

  #connect(pbx: Pbx): void {
    this.#load()
      .then(({ PbxConnection: Connection, prompts, timer, log }) => {
        const { ledger, clock, onFailure } = this.#options;
        if (this.#isClosed || !ledger.state.pbxs.has(pbx.id)) return;
        const connection = new Connection(pbx, {
          state: ledger.state,
          log,
          prompts,
          clock,
          timer,
          password: () => this.#passwordOf(pbx),
          outgoing: this.#options.outgoing,
          onState: () => this.#tellState(),
          onChange: (call) => {
            this.#changed.set(call.id, call);
            this.#gather();
          },
          onEnded: (id) => {
            this.#changed.delete(id);
            this.#ended.add(id);
            this.#gather();
          },
          onFailure,
        });
        this.#connections.set(pbx.id, connection);
        connection.start();
      })
      .catch(this.#options.onFailure);
  }

  #load(): Promise<Engine> {
    this.#engine ??= this.#loadNow().catch((error: unknown) => {
      this.#engine = null;
      throw error;
    });
    return this.#engine;
  }

  async #loadNow(): Promise<Engine> {
    const [log, { PbxConnection: Connection }, { PromptAddresses: Addresses }, { systemTimer }] =
      await Promise.all([
        this.#options.openLog(),
        import('./pbx-connection.ts'),
        import('./prompts.ts'),
        import('./call-timer.ts'),
      ]);
    const { ledger, recordingFiles, clock, baseUrl } = this.#options;
    const prompts = new Addresses({
      recordings: ledger.state.recordings,
      files: recordingFiles,
      spokenAs: () => ledger.state.settings,
      clock,
      baseUrl,
    });
    this.#loaded = { log, PbxConnection: Connection, prompts, timer: systemTimer };
    return this.#loaded;
  }

  #view(pbx: Pbx): PbxView {
    const calls = this.#connections.get(pbx.id)?.callCount ?? 0;
    return { ...pbx, state: this.#stateOf(pbx), calls };
  }

  #stateOf({ id }: Pbx): PbxState {
    return this.#connections.get(id)?.state ?? { status: 'connecting' };
  }

  /** A test often comes while it connects for the first time, or right after somebody has mended Asterisk. */
  async #triedState(pbx: Pbx): Promise<PbxState> {
    const before = this.#stateOf(pbx);
    if (before.status === 'connected') return before;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const look = (): void => {
      const now = this.#stateOf(pbx);
      if (now !== before && now.status !== 'connecting') resolve(undefined);
    };
    const stop = this.onPbxState(look);
    const timer = setTimeout(() => resolve(undefined), tryLimitMs);
    this.#connections.get(pbx.id)?.tryAgain();
    try {
      await promise;
      return this.#stateOf(pbx);
    } finally {
      clearTimeout(timer);
      stop();
    }
  }

  #passwordOf({ name }: Pbx): Promise<string | null> {
    return this.#options.vault.read(passwordEntry(name));
  }

  /** Writes and reads back, because a keychain may accept an entry without storing it. False when that failed. */
  async #keep(entry: VaultEntry, password: string): Promise<boolean> {
    const { vault } = this.#options;
    try {
      await vault.write(entry, password);
      return (await vault.read(entry)) === password;
    } catch (error) {
      if (error instanceof VaultUnavailable) return false;
      throw error;
    }
  }

  async #forget(entry: VaultEntry): Promise<void> {
    try {
      await this.#options.vault.remove(entry);
    } catch (error) {
      // It stays in the keychain, and is overwritten when a telephone system of this name is added again.
      if (!(error instanceof VaultUnavailable)) throw error;
    }
  }

  #tellState(): void {
    for (const listener of this.#stateListeners) listener();
  }

  #gather(): void {
    if (this.#isClosed) return;
    this.#noticeTimer ??= setTimeout(() => {
      this.#noticeTimer = undefined;
      const notice = { changed: [...this.#changed.values()], ended: [...this.#ended] };
      this.#changed.clear();
      this.#ended.clear();
      for (const listener of this.#callListeners) listener(notice);
    }, noticeEveryMs).unref();
  }
}

/** The entry of the password of a telephone system. No credential can have this name. */
export function passwordEntry(name: string): VaultEntry {
  return { service: vaultService, account: `${name} (telephone system)` };
}
