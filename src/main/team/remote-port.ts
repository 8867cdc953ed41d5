import { type Client, type Connection, createClient, type Outcome } from '../../client/create-client.ts';
import { followChanges, StreamRefused } from '../../client/follow-events.ts';
import { problemOfFailure, problemOfRefusal } from '../../client/host-problem.ts';
import type { Refusal } from '../../client/read-refusal.ts';
import type { HistoryEvent } from '../../contract/history/audit-event.ts';
import { maxSeqs } from '../../contract/history/history.ts';
import type { ChangeNotice } from '../../contract/service/portal.ts';
import type { ScheduleView } from '../../contract/menu/schedule.ts';
import type { Settings } from '../../contract/service/settings.ts';
import type { HostProblem } from '../../contract/service/team-host.ts';
import { useHeader, writeUse } from '../../contract/credential/use-header.ts';
import type { ActionOutcome, HostPort, HoursByHand, ShellSnapshot } from '../../host/host-port.ts';
import { hostProblemText } from '../../text/service/team-host-text.ts';
import { systemTimer, type Timer } from '../app-timer.ts';

export interface RemotePortOptions {
  readonly connection: Connection;
  /** Of this computer: its notifications and quiet hours are those of the person in front of it. */
  readonly settings: () => Settings;
  readonly clock?: () => number;
  readonly timer?: Timer;
}

/** How long the host may take to answer, in milliseconds. */
const answerLimitMs = 10_000;
/** The same for a token: the host may wait for its own vault or for a rotation that is being made. */
const valueLimitMs = 60_000;
/** Changes within this time are read together, in milliseconds. */
const gatherMs = 200;
/** How often the state is read without a change: a vault that fails and a connection that was cut silently have no event. In milliseconds. */
const lookAgainMs = 60_000;
/** How often a host that cannot be reached is tried, in milliseconds. */
const retryMs = 10_000;

/** Names of families that are remembered for notifications, which follow at once. */
const mostNames = 10_000;

/** Kinds of event whose caller or time is not in the state. */
const kindsWithDetails = new Set(['token.reused', 'credential.rotation_failed']);

/**
 * The state and the actions of a host on another machine, as the shell has them of its own host.
 *
 * Invariants: 1. `snapshot` is the last state that the host sent, also while it cannot be reached; `problem` says so and
 * `since` when it last answered. 2. A listener is called after the snapshot has what it is told about. 3. At most one read
 * of the state is under way.
 */
export class RemotePort implements HostPort {
  readonly #options: RemotePortOptions;
  readonly #clock: () => number;
  readonly #timer: Timer;
  readonly #listeners = new Set<(event: HistoryEvent | null) => void>();
  readonly #familyNames = new Map<string, string>();
  readonly #closing = new AbortController();
  #following = new AbortController();
  #isStreamOpen = false;
  #known: Omit<ShellSnapshot, 'settings'> | null = null;
  #problem: HostProblem | null = null;
  #answeredAtMs: number;
  #notices: ChangeNotice[] = [];
  #cancel: (() => void) | null = null;
  #isReading = false;
  #isAskedAgain = false;
  /** Since the stream was last tried. */
  #hasFailed = false;

  constructor(options: RemotePortOptions) {
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
    this.#timer = options.timer ?? systemTimer;
    this.#answeredAtMs = this.#clock();
    this.#follow();
  }

  /** Whether the host has sent its state. */
  get isKnown(): boolean {
    return this.#known !== null;
  }

  /** Why the host cannot be used now; null: it can, or it is not known yet. */
  get problem(): HostProblem | null {
    return this.#problem;
  }

  /** When the host last answered; before that, when it was first asked. */
  get answeredAt(): string {
    return new Date(this.#answeredAtMs).toISOString();
  }

  snapshot(): ShellSnapshot {
    return { ...(this.#known ?? nothingKnown), settings: this.#options.settings() };
  }

  onChange(listener: (event: HistoryEvent | null) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the state now: after sleep, or when the network may be back. */
  wake(): void {
    void this.#read();
  }

  pause(name: string, until: string | null): Promise<ActionOutcome> {
    const body = until === null ? {} : { until };
    return this.#change((client, signal) =>
      client.call('pauseCredential', { params: { name }, body, signal }),
    );
  }

  resume(name: string): Promise<ActionOutcome> {
    return this.#change((client, signal) => client.call('resumeCredential', { params: { name }, signal }));
  }

  endSwitch(id: string): Promise<ActionOutcome> {
    const body = { to: 'schedule' } as const;
    return this.#change((client, signal) => client.call('setSwitch', { params: { id }, body, signal }));
  }

  /** Tools ask the service of their own machine. */
  onUnansweredTool(): () => void {
    return () => undefined;
  }

  dismissReuse(familyId: string): Promise<ActionOutcome> {
    return this.#change((client, signal) =>
      client.call('dismissReuse', { params: { id: familyId }, signal }),
    );
  }

  familyName(id: string): string | null {
    return this.#familyNames.get(id) ?? null;
  }

  async valueOf(name: string): Promise<ActionOutcome<string>> {
    const headers = { [useHeader]: writeUse({ way: 'copy', program: null }) };
    const signal = AbortSignal.timeout(valueLimitMs);
    const outcome = await this.#ask((client) =>
      client.call('readCredentialValue', { params: { name }, headers, signal }),
    );
    return outcome.ok ? { ok: true, value: outcome.value.value } : outcome;
  }

  close(): void {
    this.#closing.abort();
    this.#following.abort();
    this.#cancel?.();
    this.#listeners.clear();
  }

  get #client(): Client {
    return createClient(this.#options.connection);
  }

  async #change(
    call: (client: Client, signal: AbortSignal) => Promise<Outcome<unknown>>,
  ): Promise<ActionOutcome> {
    const outcome = await this.#ask((client) => call(client, AbortSignal.timeout(answerLimitMs)));
    return outcome.ok ? { ok: true, value: null } : outcome;
  }

  /** The outcome of a call, with the refusal or the failure as a sentence. */
  async #ask<T>(call: (client: Client) => Promise<Outcome<T>>): Promise<ActionOutcome<T>> {
    try {
      const outcome = await call(this.#client);
      return outcome.ok ? { ok: true, value: outcome.value } : { ok: false, refusal: outcome.message };
    } catch (error) {
      const problem = problemOfFailure(error);
      if (problem === null) throw error;
      return { ok: false, refusal: hostProblemText(problem, this.#options.connection.baseUrl) };
    }
  }

  /** Follows the stream of changes until it is closed or refused; a read of the state that succeeds begins again. */
  #follow(): void {
    this.#following.abort();
    this.#following = new AbortController();
    this.#hasFailed = false;
    const { signal } = this.#following;
    void (async () => {
      try {
        for await (const news of followChanges(() => this.#options.connection, { signal })) {
          this.#isStreamOpen = news.kind !== 'lost';
          if (news.kind === 'change') this.#onChange(news.notice);
          else this.wake();
        }
      } catch (error) {
        this.#isStreamOpen = false;
        const problem =
          error instanceof StreamRefused ? problemOfRefusal(error.refusal) : problemOfFailure(error);
        if (problem === null) throw error;
        this.wake(); // the state has the same problem, or the stream is tried again with it
      }
    })();
  }

  #onChange(notice: ChangeNotice): void {
    if (notice.kind === 'credential.used') return;
    if (kindsWithDetails.has(notice.kind)) this.#notices = [...this.#notices, notice].slice(-maxSeqs);
    this.#lookAfter(gatherMs);
  }

  #lookAfter(waitMs: number): void {
    this.#cancel?.();
    if (this.#isClosed()) return;
    this.#cancel = this.#timer.start(waitMs, () => {
      this.#cancel = null;
      this.wake();
    });
  }

  async #read(): Promise<void> {
    if (this.#isClosed()) return;
    if (this.#isReading) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isReading = true;
    await this.#readOnce();
    this.#isReading = false;
    if (this.#isClosed()) return;
    if (this.#isAskedAgain) {
      this.#isAskedAgain = false;
      return this.#read();
    }
    // Otherwise the stream would be tried again up to 30 seconds later.
    if (this.#hasFailed && this.#problem === null && !this.#isStreamOpen) this.#follow();
    if (this.#cancel === null) this.#lookAfter(this.#problem === null ? lookAgainMs : retryMs);
  }

  async #readOnce(): Promise<void> {
    const notices = this.#notices.splice(0);
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(answerLimitMs)]);
    try {
      const { known, events } = await this.#readAll(notices, signal);
      this.#answeredAtMs = this.#clock();
      this.#problem = null;
      this.#known = known;
      for (const event of events) this.#tell(event);
    } catch (error) {
      if (this.#isClosed()) return;
      const problem = error instanceof Refused ? problemOfRefusal(error.refusal) : problemOfFailure(error);
      if (problem === null) throw error;
      this.#problem = problem;
      this.#hasFailed = true;
      this.#notices = [...notices, ...this.#notices].slice(-maxSeqs);
    }
    this.#tell(null);
  }

  async #readAll(notices: readonly ChangeNotice[], signal: AbortSignal) {
    const client = this.#client;
    const [list, status, systems, schedules] = await Promise.all([
      client.call('listCredentials', { query: { planned: 'false' }, signal }).then(valueOf),
      client.call('portalStatus', { signal }).then(valueOf),
      client.call('listPbxs', { signal }).then(valueOf),
      // An older host has none.
      client.call('listSchedules', { signal }).then((outcome) => (outcome.ok ? outcome.value.schedules : [])),
    ]);
    const known = {
      credentials: list.credentials,
      vault: list.vault,
      store: status.store,
      pbxs: systems.pbxs,
      hours: schedules.flatMap(byHand),
      movedFrom: status.moved_from,
    };
    if (notices.length === 0) return { known, events: [] };
    const seq = notices.map((notice) => notice.seq).join(',');
    const page = valueOf(await client.call('readHistory', { query: { seq }, signal }));
    if (this.#familyNames.size > mostNames) this.#familyNames.clear();
    for (const [id, name] of Object.entries(page.names ?? {})) this.#familyNames.set(id, name);
    return { known, events: page.events.toReversed() };
  }

  #tell(event: HistoryEvent | null): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }
}

/** A refusal where only an answer helps. */
class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'Refused';
    this.refusal = refusal;
  }
}

function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new Refused(outcome);
}

const nothingKnown: Omit<ShellSnapshot, 'settings'> = {
  credentials: [],
  vault: { kind: 'file', description: '', status: 'ok', message: null },
  store: { status: 'ok', last_seq: 0 },
  pbxs: [],
  hours: [],
  movedFrom: null,
};

function byHand({ id, name, time_zone, switch: { to, until } }: ScheduleView): HoursByHand[] {
  return to === 'schedule' ? [] : [{ id, name, time_zone, to, until }];
}
