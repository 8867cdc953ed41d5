import { AsyncLocalStorage } from 'node:async_hooks';
import TinyQueue from 'tinyqueue';
import { originOf } from '../../contract/address.ts';
import type { DocumentedRate } from '../../contract/credential/provider-facts.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import type { Clock } from '../../core/ledger.ts';
import type { ServiceHold } from '../../core/rotation/retry-at.ts';
import { documentedRateOf } from '../../providers/catalogue.ts';
import { CallBudget } from '../../providers/http/call-budget.ts';
import type { CallGate, CallPermit } from '../../providers/http/service-caller.ts';
import type { Timer } from './timer.ts';

/** A service that hangs can block this many of its own rotations, and no others. */
const jobsPerService = 8;
/** For all other services together. The embedded one is separate: it works without a network and while they all hang. */
const remoteJobs = 64;
/** The longest timer, in milliseconds: after sleep or a clock change, the time is checked again within this. */
const longestNapMs = 60_000;
/** A token that has ended has nothing to lose: those that end within this time go first. */
const endedLaterMs = 5 * 60_000;

type OfService = Pick<Credential, 'baseUrl' | 'provider'>;

/** A rotation or the deletion of an old token, which waits or runs. */
interface Job {
  /** When its token ends, or Infinity where nothing is lost by waiting. */
  readonly endsAtMs: number;
  /** The soonest goes first. */
  readonly order: number;
  readonly begin: (running: RunningJob) => void;
}

/** A job as its calls see it. */
interface RunningJob {
  readonly group: Group;
  /** Origins at which a call is counted already, and not made yet. */
  readonly counted: Set<string>;
  /** Whether it may call services that ask to wait: its token would end before that. */
  readonly mayPass: boolean;
}

/** The jobs of one kind of credentials at one address. */
class Group {
  readonly waiting = new TinyQueue<Job>([], (a, b) => a.order - b.order);
  /** Where its jobs have called: an OAuth server may be somewhere else than the API. */
  readonly called = new Set<string>();
  readonly isRemote: boolean;
  readonly #home: string | null;
  running = 0;
  /** Whether a job runs that may call although its service asks to wait. */
  isPassing = false;

  constructor(home: string | null) {
    this.isRemote = home !== null;
    this.#home = home;
  }

  get origins(): readonly string[] {
    if (this.called.size > 0) return [...this.called];
    return this.#home === null ? [] : [this.#home];
  }
}

/** A call that waits until its service may be called again. */
interface WaitingCall {
  readonly resolve: (permit: CallPermit) => void;
}

/** What is called at one origin: how fast, and the calls that wait for it. */
interface OriginQueue {
  readonly budget: CallBudget;
  readonly waiting: WaitingCall[];
}

/**
 * When each service is called about tokens: how many rotations run at a time, which goes first, and how fast calls follow each
 * other.
 *
 * Invariants: 1. no call about a token is made while its service (the origin of the call) asks to wait, whoever asks for it, but
 * for one rotation at a time whose token would end before the wait does, and not before half of what was left of it is over; 2. the rate of calls is
 * that of `CallBudget`; 3. of the rotations that wait for a service, the one whose token ends first begins first, and it begins only when its
 * first call may be made at once, so that no intent is open while it waits; 4. a service that is slow, hangs or asks to wait delays no
 * other's rotations, unless many hang at once, and never the embedded one's; 5. nothing is lost by waiting: what waits is in
 * the plan of its credential, and after a restart it is due again; 6. without anything that waits there is no timer.
 *
 * The embedded service is called without a limit of this kind. Calls of the owner that are no calls about tokens do not wait, but
 * what a service answers to them counts.
 */
export class ServicePace implements CallGate {
  readonly #clock: Clock;
  readonly #timer: Timer;
  readonly #embeddedUrl: () => string;
  readonly #rateOf: (origin: string) => DocumentedRate | null;
  readonly #groups = new Map<string, Group>();
  readonly #queues = new Map<string, OriginQueue>();
  /** The job that a call is made for. */
  readonly #jobs = new AsyncLocalStorage<RunningJob>();
  #remoteRunning = 0;
  #willCheck = false;
  #callOff: (() => void) | null = null;
  #isReleased = false;
  #isStopped = false;

  constructor({
    clock,
    timer,
    embeddedUrl,
    rateOf = documentedRateOf,
  }: {
    readonly clock: Clock;
    readonly timer: Timer;
    readonly embeddedUrl: () => string;
    readonly rateOf?: ((origin: string) => DocumentedRate | null) | undefined;
  }) {
    this.#clock = clock;
    this.#timer = timer;
    this.#embeddedUrl = embeddedUrl;
    this.#rateOf = rateOf;
  }

  /** Does work about a credential when its service may be called. `endsAtMs`: when the token ends that would be lost. */
  run(of: OfService, endsAtMs: number, work: () => Promise<void>): Promise<void> {
    if (this.#isReleased) return work();
    const group = this.#groupOf(of);
    const nowMs = this.#clock();
    const order = endsAtMs <= nowMs ? nowMs + endedLaterMs : endsAtMs;
    return new Promise((resolve, reject) => {
      const begin = (running: RunningJob): void => {
        this.#jobs
          .run(running, work)
          .finally(() => this.#end(running))
          .then(resolve, reject);
      };
      group.waiting.push({ endsAtMs, order, begin });
      this.#checkSoon();
    });
  }

  /** While the service of a credential is not called about tokens; null: it is. */
  holdOf(of: OfService): ServiceHold | null {
    if (of.baseUrl === null) return null;
    const nowMs = this.#clock();
    let longest: ServiceHold | null = null;
    for (const origin of this.#groupOf(of).origins) {
      const hold = this.#queues.get(origin)?.budget.hold(nowMs) ?? null;
      if (hold !== null && hold.untilMs > (longest?.untilMs ?? 0)) longest = hold;
    }
    return longest;
  }

  enter(url: string): Promise<CallPermit> {
    const origin = sameOrigin(url);
    const nowMs = this.#clock();
    if (this.#isEmbedded(origin)) return Promise.resolve({ kind: 'go' });
    const job = this.#jobs.getStore();
    job?.group.called.add(origin);
    const queue = this.#queueOf(origin, nowMs);
    if (job?.mayPass === true) {
      if (job.counted.delete(origin)) return Promise.resolve({ kind: 'go' });
      queue.budget.take(nowMs);
      return Promise.resolve({ kind: 'go' });
    }
    const hold = queue.budget.hold(nowMs);
    if (hold !== null) return Promise.resolve({ kind: 'wait', hold });
    if (job?.counted.delete(origin) === true) return Promise.resolve({ kind: 'go' });
    return new Promise((resolve) => {
      queue.waiting.push({ resolve });
      this.#checkSoon();
    });
  }

  heard(url: string, sentMs: number, complaint: { readonly waitMs: number | null } | null): void {
    const origin = sameOrigin(url);
    const nowMs = this.#clock();
    const { budget } = this.#queueOf(origin, nowMs);
    if (complaint === null) budget.answered(sentMs, nowMs);
    else budget.complained(sentMs, nowMs, complaint.waitMs);
    this.#checkSoon();
  }

  /** Begins everything that waits: the loop is closed, and its work ends at once. */
  release(): void {
    this.#isReleased = true;
    this.#callOff?.();
    this.#callOff = null;
    for (const group of this.#groups.values()) {
      for (let job = group.waiting.pop(); job !== undefined; job = group.waiting.pop()) {
        this.#begin(group, job, { counted: new Set(), mayPass: false });
      }
    }
  }

  /** No call that waits is made any more. */
  stop(): void {
    this.#isStopped = true;
    for (const { waiting } of this.#queues.values()) {
      for (const { resolve } of waiting.splice(0)) resolve({ kind: 'stopping' });
    }
  }

  #checkSoon(): void {
    if (this.#willCheck) return;
    this.#willCheck = true;
    // What is due at the same time is put in order first.
    queueMicrotask(() => {
      this.#willCheck = false;
      this.#check();
    });
  }

  #check(): void {
    this.#callOff?.();
    this.#callOff = null;
    const nowMs = this.#clock();
    let nextMs = Infinity;
    for (const queue of this.#queues.values()) nextMs = Math.min(nextMs, this.#letCallsGo(queue, nowMs));
    if (!this.#isReleased) nextMs = Math.min(nextMs, this.#beginJobs(nowMs));
    if (nextMs === Infinity || this.#isStopped) return;
    const napMs = Math.min(Math.max(nextMs - nowMs, 0), longestNapMs);
    this.#callOff = this.#timer.start(napMs, () => this.#check());
  }

  /** Returns when the next one may go; Infinity without any. */
  #letCallsGo({ budget, waiting }: OriginQueue, nowMs: number): number {
    const hold = budget.hold(nowMs);
    if (hold !== null) {
      for (const { resolve } of waiting.splice(0)) resolve({ kind: 'wait', hold });
    }
    while (waiting.length > 0 && budget.nextCallMs(nowMs) <= nowMs) {
      budget.take(nowMs);
      waiting.shift()?.resolve({ kind: 'go' });
    }
    return waiting.length === 0 ? Infinity : budget.nextCallMs(nowMs);
  }

  /** Begins what may begin, the most urgent of all services first. Returns when the next one may; Infinity: not by time. */
  #beginJobs(nowMs: number): number {
    for (;;) {
      let nextMs = Infinity;
      let first: { readonly group: Group; readonly job: Job; readonly mayPass: boolean } | null = null;
      for (const group of this.#groups.values()) {
        const job = group.waiting.peek();
        if (job === undefined || group.running >= jobsPerService) continue;
        if (group.isRemote && this.#remoteRunning >= remoteJobs) continue;
        const start = this.#startOf(group, job, nowMs);
        nextMs = Math.min(nextMs, start.atMs);
        if (start.atMs > nowMs || (first !== null && first.job.order <= job.order)) continue;
        first = { group, job, mayPass: start.mayPass };
      }
      if (first === null) return nextMs;
      const { group, job, mayPass } = first;
      group.waiting.pop();
      const counted = new Set(group.origins);
      for (const origin of counted) this.#queueOf(origin, nowMs).budget.take(nowMs);
      this.#begin(group, job, { counted, mayPass });
    }
  }

  /** When a job may begin, and whether although its service asks to wait. */
  #startOf(group: Group, { endsAtMs }: Job, nowMs: number): { atMs: number; mayPass: boolean } {
    let atMs = nowMs;
    let mayPass = false;
    for (const origin of group.origins) {
      const { budget, waiting } = this.#queueOf(origin, nowMs);
      const hold = budget.hold(nowMs);
      if (hold === null) {
        // Calls of what has begun already go first.
        atMs = Math.max(atMs, budget.nextCallMs(nowMs), waiting.length > 0 ? nowMs + 1 : nowMs);
      } else if (endsAtMs > nowMs && endsAtMs <= hold.untilMs) {
        atMs = group.isPassing ? Infinity : Math.max(atMs, hold.fromMs + (endsAtMs - hold.fromMs) / 2);
        mayPass = true;
      } else {
        atMs = Math.max(atMs, hold.untilMs);
      }
    }
    return { atMs: Math.ceil(atMs), mayPass };
  }

  #begin(group: Group, { begin }: Job, of: Pick<RunningJob, 'counted' | 'mayPass'>): void {
    group.running += 1;
    if (group.isRemote) this.#remoteRunning += 1;
    if (of.mayPass) group.isPassing = true;
    begin({ group, ...of });
  }

  #end({ group, counted, mayPass }: RunningJob): void {
    group.running -= 1;
    if (group.isRemote) this.#remoteRunning -= 1;
    if (mayPass) group.isPassing = false;
    for (const origin of counted) this.#queues.get(origin)?.budget.giveBack();
    this.#checkSoon();
  }

  #groupOf({ baseUrl, provider }: OfService): Group {
    const origin = baseUrl === null ? null : sameOrigin(baseUrl);
    const home = origin === null || this.#isEmbedded(origin) ? null : origin;
    const key = home === null ? '' : `${home} ${provider.id}`;
    const known = this.#groups.get(key) ?? new Group(home);
    this.#groups.set(key, known);
    return known;
  }

  #isEmbedded(origin: string): boolean {
    return origin === sameOrigin(this.#embeddedUrl());
  }

  #queueOf(origin: string, nowMs: number): OriginQueue {
    const known = this.#queues.get(origin) ?? {
      budget: new CallBudget(this.#rateOf(origin), nowMs),
      waiting: [],
    };
    this.#queues.set(origin, known);
    return known;
  }
}

/** Origins that are written differently are the same service. */
function sameOrigin(url: string): string {
  return originOf(url).toLowerCase();
}
