import pLimit, { type LimitFunction } from 'p-limit';
import TinyQueue from 'tinyqueue';
import type { CredentialId, TargetId } from '../contract/credential.ts';
import { type Credential, seedOf, type Target } from '../core/credential/credential.ts';
import { nextDeliveryMs, nextRotationMs } from '../core/credential/next-action.ts';
import { retryAt } from '../core/rotation/retry-at.ts';
import type { AgentParts } from './agent-parts.ts';
import { deliverValue, turnOf } from './deliver-value.ts';
import { inTurn } from './in-turn.ts';
import { rotateCredential } from './rotate-credential.ts';
import type { Timer } from './timer.ts';

/** The longest nap, in milliseconds: after sleep or a clock that was set, time is looked at again this soon at the latest. */
const maxNapMs = 60_000;
/** A service that hangs can hold this many of its own rotations up, and nobody else's. */
const atOncePerService = 8;
/** To all other services together. The embedded one is apart: it works while there is no network and they all hang. */
const remoteRotationsAtOnce = 64;
const deliveriesAtOnce = 16;
/** A hook may take minutes: no file and no keychain waits for one. */
const hooksAtOnce = 16;

interface Alarm {
  readonly id: CredentialId;
  readonly atMs: number;
}

/**
 * Does what is due, when it is due.
 *
 * Invariants: 1. due times are wall-clock instants that `core` works out, anew once a minute; the loop only compares them
 * with the clock, after naps of a minute at most, so sleep, clock jumps and another zone skip nothing; 2. at most one
 * rotation of a credential and one delivery to a target are under way here; 3. a service that fails or hangs delays no
 * other's rotations, unless many hang at once, and never the embedded one's; 4. without credentials there is no timer,
 * and while nothing is due there is one look a nap.
 */
export class RotationLoop {
  readonly #parts: AgentParts;
  readonly #timer: Timer;
  readonly #onFailure: (error: unknown) => void;
  readonly #alarms = new TinyQueue<Alarm>([], (a, b) => a.atMs - b.atMs);
  /** The one alarm of each credential that counts; others in the queue are old. */
  readonly #alarmOf = new Map<CredentialId, number>();
  /** Credentials whose attempt could not even be written down: the disk is full. */
  readonly #restsUntil = new Map<CredentialId, number>();
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #limitOfService = new Map<string, LimitFunction>();
  readonly #limitRemote = pLimit(remoteRotationsAtOnce);
  readonly #limitDeliveries = pLimit(deliveriesAtOnce);
  readonly #limitHooks = pLimit(hooksAtOnce);
  #workedOutMs = 0;
  #callOff: (() => void) | null = null;
  #stopListening: (() => void) | null = null;
  #isClosed = false;

  constructor(parts: AgentParts, timer: Timer, onFailure: (error: unknown) => void) {
    this.#parts = parts;
    this.#timer = timer;
    this.#onFailure = onFailure;
  }

  /**
   * Works everything out anew: at the start, after sleep, unlock, a clock that was set, a network that is back.
   *
   * The first one begins; before it nothing is done.
   */
  wake(): void {
    if (this.#isClosed) return;
    this.#stopListening ??= this.#listen();
    this.#restsUntil.clear();
    this.#workOut();
    this.#nap();
  }

  /** Brings the present value to one target now. One that is under way already is waited for, not made twice. */
  async deliverNow(id: CredentialId, target: Target): Promise<void> {
    await (this.#deliver(id, target) ?? this.#underWay.get(deliveryKey(id, target.id)));
  }

  /** Begins nothing more and waits for what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#callOff?.();
    this.#stopListening?.();
    await Promise.all(this.#underWay.values());
  }

  #listen(): () => void {
    return this.#parts.ledger.subscribe((event) => {
      if (!event.kind.startsWith('credential.')) return;
      this.#setAlarm(event.subject as CredentialId);
      this.#nap();
    });
  }

  #workOut(): void {
    const { clock, ledger } = this.#parts;
    this.#workedOutMs = clock();
    for (const id of ledger.state.credentials.keys()) this.#setAlarm(id);
  }

  #setAlarm(id: CredentialId): void {
    const credential = this.#parts.ledger.state.credentials.get(id);
    const atMs = credential === undefined ? null : this.#nextMs(credential);
    if (atMs === this.#alarmOf.get(id)) return;
    if (atMs === null) {
      this.#alarmOf.delete(id);
      return;
    }
    this.#alarmOf.set(id, atMs);
    this.#alarms.push({ id, atMs });
  }

  /** The next thing to do for it that is not under way already. */
  #nextMs(credential: Credential): number | null {
    const nowMs = this.#parts.clock();
    const instants = credential.targets.map((target) =>
      this.#underWay.has(deliveryKey(credential.id, target.id))
        ? null
        : nextDeliveryMs(credential, target, nowMs),
    );
    if (!this.#underWay.has(rotationKey(credential.id))) {
      instants.push(nextRotationMs(credential, nowMs, this.#parts.zone));
    }
    const soonestMs = Math.min(...instants.map((ms) => ms ?? Infinity));
    if (soonestMs === Infinity) return null;
    return Math.max(soonestMs, this.#restsUntil.get(credential.id) ?? 0);
  }

  #nap(): void {
    this.#callOff?.();
    this.#callOff = null;
    const { clock, ledger } = this.#parts;
    const hasBegun = this.#stopListening !== null && !this.#isClosed;
    if (!hasBegun || ledger.state.credentials.size === 0) return;
    const nextMs = this.#nextAlarm()?.atMs ?? Infinity;
    const napMs = Math.min(Math.max(nextMs - clock(), 0), maxNapMs);
    this.#callOff = this.#timer.start(napMs, () => {
      this.#look();
    });
  }

  #look(): void {
    const nowMs = this.#parts.clock();
    const sinceMs = nowMs - this.#workedOutMs;
    // A rest is an instant of the clock as it was before it was set back.
    if (sinceMs < 0) this.#restsUntil.clear();
    if (sinceMs < 0 || sinceMs >= maxNapMs) this.#workOut();
    for (let next = this.#nextAlarm(); next !== undefined && next.atMs <= nowMs; next = this.#nextAlarm()) {
      this.#alarms.pop();
      this.#alarmOf.delete(next.id);
      this.#act(next.id, nowMs);
    }
    this.#nap();
  }

  /** The first alarm that still counts. */
  #nextAlarm(): Alarm | undefined {
    for (let first = this.#alarms.peek(); first !== undefined; first = this.#alarms.peek()) {
      if (this.#alarmOf.get(first.id) === first.atMs) return first;
      this.#alarms.pop();
    }
    return undefined;
  }

  #act(id: CredentialId, nowMs: number): void {
    const parts = this.#parts;
    const credential = parts.ledger.state.credentials.get(id);
    if (credential === undefined) return;
    for (const target of credential.targets) {
      const dueMs = nextDeliveryMs(credential, target, nowMs);
      if (dueMs !== null && dueMs <= nowMs) void this.#deliver(id, target);
    }
    const rotationMs = nextRotationMs(credential, nowMs, parts.zone);
    if (rotationMs !== null && rotationMs <= nowMs) this.#rotate(credential);
    this.#setAlarm(id);
  }

  #rotate({ id, baseUrl }: Credential): void {
    const rotate = () =>
      inTurn(turnOf(id), () => this.#unlessClosed(() => rotateCredential(this.#parts, id, 'due')));
    const limitService = this.#limitOf(baseUrl);
    void this.#start(rotationKey(id), id, () =>
      limitService(() => (baseUrl === null ? rotate() : this.#limitRemote(rotate))),
    );
  }

  #deliver(id: CredentialId, { id: targetId, target }: Target): Promise<void> | null {
    const limit = target.kind === 'hook' ? this.#limitHooks : this.#limitDeliveries;
    return this.#start(deliveryKey(id, targetId), id, () =>
      limit(() => this.#unlessClosed(() => deliverValue(this.#parts, id, targetId))),
    );
  }

  /** Runs a piece of work once at a time, and looks for the next one when it is over. Null when it is not begun. */
  #start(key: string, id: CredentialId, work: () => Promise<void>): Promise<void> | null {
    if (this.#underWay.has(key) || this.#isClosed) return null;
    const begun = work();
    const run = begun
      .then(
        () => {
          this.#restsUntil.delete(id);
        },
        (error: unknown) => {
          this.#rest(id);
          this.#onFailure(error);
        },
      )
      .then(() => {
        this.#underWay.delete(key);
        if (this.#isClosed) return;
        this.#setAlarm(id);
        this.#nap();
      });
    this.#underWay.set(key, run);
    return begun;
  }

  /** What has waited for its turn meanwhile is not begun any more. */
  async #unlessClosed(work: () => Promise<void>): Promise<void> {
    if (!this.#isClosed) await work();
  }

  /** As long as between two quick attempts: an attempt that failed this way leaves no record of when the next one is. */
  #rest(id: CredentialId): void {
    const credential = this.#parts.ledger.state.credentials.get(id);
    if (credential === undefined) return;
    const { life, generation } = credential;
    const failed = { life, attempt: 1, nowMs: this.#parts.clock(), retryAfterMs: null };
    this.#restsUntil.set(id, retryAt({ ...failed, seed: seedOf(id, generation) }));
  }

  #limitOf(baseUrl: string | null): LimitFunction {
    const service = baseUrl === null ? '' : new URL(baseUrl).origin;
    const known = this.#limitOfService.get(service);
    if (known !== undefined) return known;
    const limit = pLimit(atOncePerService);
    this.#limitOfService.set(service, limit);
    return limit;
  }
}

function rotationKey(id: CredentialId): string {
  return `rotate ${id}`;
}

function deliveryKey(id: CredentialId, targetId: TargetId): string {
  return `deliver ${id} ${targetId}`;
}
