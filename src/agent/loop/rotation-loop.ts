import pLimit from 'p-limit';
import TinyQueue from 'tinyqueue';
import type { AuditEvent } from '../../contract/history/audit-event.ts';
import type { CredentialId, TargetId } from '../../contract/credential/credential.ts';
import type { AttemptCause } from '../../core/credential/attempt-rotation.ts';
import { seedOf, type Target } from '../../core/credential/credential-state.ts';
import { deriveCredential, type DerivedCredential } from '../../core/credential/derive-credential.ts';
import { zoneMark } from '../../core/rotation/due-at.ts';
import { retryAt } from '../../core/rotation/retry-at.ts';
import type { Records, Rotate } from '../ports.ts';
import { lockKeyOf, runExclusive } from '../run-exclusive.ts';
import type { RunningTools } from './running-tools.ts';
import type { ServicePace } from './service-pace.ts';
import type { Timer } from './timer.ts';
import { deliveryKey, retirementKey, retirementMs, rotationKey, WokenPlan } from './woken-plan.ts';

type UseChange = AuditEvent<'token.suspended' | 'token.resumed' | 'token.blacklisted' | 'token.expired'>;

/**
 * Whether an event changes what can be done with a token of a credential here.
 *
 * An event that replaces the token does not count: a rotation by another program plans nothing here, and leaves a queue
 * entry that is ignored when it becomes due.
 */
function changesUse(event: AuditEvent): event is UseChange {
  return useChanges.has(event.kind);
}
const useChanges: ReadonlySet<string> = new Set<UseChange['kind']>([
  'token.suspended',
  'token.resumed',
  'token.blacklisted',
  'token.expired',
]);

/** The longest timer, in milliseconds: after sleep or a clock change, the time is checked again within this. */
const maxNapMs = 60_000;
/** How often a rotation that waits for tools looks whether they still run, in milliseconds. */
const lookEveryMs = 5_000;
const deliveriesAtOnce = 16;
/** A hook may take minutes: deliveries to files and keychains do not wait for it. */
const hooksAtOnce = 16;

interface LoopPorts extends Records {
  readonly timer: Timer;
  /** When each service may be called. */
  readonly pace: ServicePace;
  /** For which a planned rotation waits. */
  readonly tools: RunningTools;
  readonly onFailure: (error: unknown) => void;
  readonly onNapEnd: () => void;
}

/** What is done when it is due. */
interface Work {
  readonly rotate: Rotate;
  readonly retire: (id: CredentialId) => Promise<void>;
  readonly deliver: (id: CredentialId, targetId: TargetId) => Promise<void>;
}

interface Alarm {
  readonly id: CredentialId;
  readonly atMs: number;
}

/** When each credential is due next: one instant each, the soonest first. Wall-clock milliseconds. */
class Alarms {
  readonly #queue = new TinyQueue<Alarm>([], (a, b) => a.atMs - b.atMs);
  /** The valid entry of each credential; other entries in the queue are outdated. */
  readonly #atMsOf = new Map<CredentialId, number>();

  /** The soonest instant; null without any. */
  get soonestMs(): number | null {
    return this.#first()?.atMs ?? null;
  }

  /** Replaces its entry. Null: none. */
  set(id: CredentialId, atMs: number | null): void {
    if (atMs === this.#atMsOf.get(id)) return;
    if (atMs === null) {
      this.#atMsOf.delete(id);
      return;
    }
    this.#atMsOf.set(id, atMs);
    this.#queue.push({ id, atMs });
  }

  /** Removes the soonest entry, if it is due. */
  takeUntil(nowMs: number): CredentialId | null {
    const first = this.#first();
    if (first === undefined || first.atMs > nowMs) return null;
    this.#queue.pop();
    this.#atMsOf.delete(first.id);
    return first.id;
  }

  /** The first valid entry. */
  #first(): Alarm | undefined {
    for (let first = this.#queue.peek(); first !== undefined; first = this.#queue.peek()) {
      if (this.#atMsOf.get(first.id) === first.atMs) return first;
      this.#queue.pop();
    }
    return undefined;
  }
}

/**
 * Does work when it is due.
 *
 * Invariants: 1. due times are wall-clock instants that `core` computes, again for a credential with each of its events and
 * with those of its token, and for all of them when the clock was set back or the zone changed; the loop only compares
 * them with the clock, with timers of a minute at most, so sleep, clock changes and another zone skip nothing (a clock set
 * back by less than a timer delays a retry by that much at most); 2. at most one rotation of a credential and one delivery to a target run here, and an old
 * token is deleted only while no rotation of its credential is open;
 * 3. what is due at a service begins when that may be called, the token that ends first before the others, and delays nothing
 * elsewhere (`service-pace.ts`); 4. without credentials there is no timer, and while nothing is due each timer checks only the soonest
 * instant; 5. a wake starts nothing itself and checks each credential once: what it makes due earlier
 * (`woken-plan.ts`) is started like anything that is due, within 2 and 3, and so is a token that was obtained while the
 * clock was ahead (decisions/rotate-after-a-wrong-clock.md); 6. nothing is due while the data may also be in use elsewhere; a
 * wake follows when that was confirmed (decisions/moved-data.md); 7. a rotation that waits for connected tools is looked at again until it
 * begins, and while none waits nobody looks at processes (`running-tools.ts`).
 */
export class RotationLoop {
  readonly #ports: LoopPorts;
  readonly #work: Work;
  readonly #alarms = new Alarms();
  readonly #plan: WokenPlan;
  /** Credentials whose attempt could not be recorded: the disk is full. */
  readonly #restsUntil = new Map<CredentialId, number>();
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #limitDeliveries = pLimit(deliveriesAtOnce);
  readonly #limitHooks = pLimit(hooksAtOnce);
  #checkedMs = 0;
  #zoneMark = '';
  #callOff: (() => void) | null = null;
  #stopListening: (() => void) | null = null;
  #isClosed = false;

  constructor(ports: LoopPorts, work: Work) {
    this.#ports = ports;
    this.#work = work;
    this.#plan = new WokenPlan(ports.zone);
  }

  /**
   * Computes everything again: at the start, after sleep, unlock, a clock change, or when the network is back. What may
   * work now is tried immediately.
   *
   * The first call starts the loop.
   */
  wake(): void {
    if (this.#isClosed) return;
    this.#stopListening ??= this.#listen();
    this.#restsUntil.clear();
    this.#plan.wake(this.#ports.ledger.state.credentials.values());
    this.#workOut();
    this.#nap();
  }

  /** Delivers the current token to one target now. One that is under way already is waited for, not made twice. */
  async deliverNow(id: CredentialId, target: Target): Promise<void> {
    await (this.#deliver(id, target) ?? this.#underWay.get(deliveryKey(id, target.id)));
  }

  /** Starts nothing more and waits for work in progress. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#callOff?.();
    this.#stopListening?.();
    this.#ports.pace.release();
    await Promise.all(this.#underWay.values());
  }

  #listen(): () => void {
    return this.#ports.ledger.subscribe((event) => {
      if (event.kind === 'credential.used') return;
      const id = event.kind.startsWith('credential.')
        ? (event.subject as CredentialId)
        : this.#holderOf(event);
      if (id === null) return;
      this.#setAlarm(id);
      this.#nap();
    });
  }

  /** The credential that holds the token of this service that an event is about. */
  #holderOf(event: AuditEvent): CredentialId | null {
    if (!changesUse(event)) return null;
    const { state } = this.#ports.ledger;
    const digest = state.tokens.get(event.data.token_id)?.digest;
    for (const { id, baseUrl, fingerprint } of state.credentials.values()) {
      if (baseUrl === null && fingerprint === digest) return id;
    }
    return null;
  }

  #workOut(): void {
    const { clock, ledger, zone } = this.#ports;
    this.#checkedMs = clock();
    this.#zoneMark = zoneMark(zone, this.#checkedMs);
    for (const id of ledger.state.credentials.keys()) this.#setAlarm(id);
  }

  #setAlarm(id: CredentialId): void {
    const credential = this.#present(id);
    if (credential === null) this.#ports.tools.forget(id);
    this.#alarms.set(id, credential === null ? null : this.#nextMs(credential));
  }

  #present(id: CredentialId): DerivedCredential | null {
    const { ledger, clock } = this.#ports;
    const record = ledger.state.credentials.get(id);
    return record === undefined ? null : deriveCredential(ledger.state, record, clock());
  }

  /** The next piece of work for it that is not in progress. */
  #nextMs(credential: DerivedCredential): number | null {
    if (this.#ports.movedFrom() !== null) return null;
    const nowMs = this.#ports.clock();
    const instants = credential.targets
      .filter(({ id }) => !this.#underWay.has(deliveryKey(credential.id, id)))
      .map((target) => this.#plan.deliveryMs(credential, target, nowMs));
    if (!this.#underWay.has(rotationKey(credential.id))) {
      instants.push(this.#rotationMs(credential, nowMs));
      if (!this.#underWay.has(retirementKey(credential.id))) {
        instants.push(retirementMs(credential) ?? Infinity);
      }
    }
    const soonestMs = Math.min(...instants);
    if (soonestMs === Infinity) return null;
    return Math.max(soonestMs, this.#restsUntil.get(credential.id) ?? 0);
  }

  /** When its rotation begins: as planned, or after another look at the tools that it waits for. */
  #rotationMs(credential: DerivedCredential, nowMs: number): number {
    const { tools } = this.#ports;
    const plannedMs = this.#plan.rotationMs(credential, nowMs);
    if (plannedMs > nowMs) {
      tools.endWait(credential.id);
      return plannedMs;
    }
    const untilMs = tools.waitUntilMs(credential, nowMs);
    return untilMs === null ? plannedMs : Math.min(untilMs, nowMs + lookEveryMs);
  }

  #nap(): void {
    this.#callOff?.();
    this.#callOff = null;
    const { clock, ledger } = this.#ports;
    const hasBegun = this.#stopListening !== null && !this.#isClosed;
    if (!hasBegun || ledger.state.credentials.size === 0) return;
    const nextMs = this.#alarms.soonestMs ?? Infinity;
    const napMs = Math.min(Math.max(nextMs - clock(), 0), maxNapMs);
    this.#callOff = this.#ports.timer.start(napMs, () => {
      this.#check();
    });
  }

  #check(): void {
    this.#ports.onNapEnd();
    const { clock, zone } = this.#ports;
    const nowMs = clock();
    const isSetBack = nowMs < this.#checkedMs;
    // A rest is an instant of the clock as it was before.
    if (isSetBack) this.#restsUntil.clear();
    if (isSetBack || zoneMark(zone, nowMs) !== this.#zoneMark) this.#workOut();
    this.#checkedMs = nowMs;
    for (let id = this.#alarms.takeUntil(nowMs); id !== null; id = this.#alarms.takeUntil(nowMs)) {
      this.#act(id, nowMs);
    }
    this.#nap();
  }

  #act(id: CredentialId, nowMs: number): void {
    const credential = this.#present(id);
    if (credential === null) return;
    for (const target of credential.targets) {
      if (this.#plan.deliveryMs(credential, target, nowMs) <= nowMs) void this.#deliver(id, target);
    }
    if (this.#rotationMs(credential, nowMs) <= nowMs) this.#rotate(credential, nowMs);
    else if ((retirementMs(credential) ?? Infinity) <= nowMs) this.#retire(credential);
    this.#setAlarm(id);
  }

  #rotate(credential: DerivedCredential, nowMs: number): void {
    const { id, lifetime, standby } = credential;
    const key = rotationKey(id);
    const cause = this.#plan.beginRotation(credential, nowMs);
    const rotate = () =>
      runExclusive(lockKeyOf(id), () => this.#unlessClosed(() => this.#unlessUsed(id, cause)));
    const endsAtMs = Math.min(lifetime.expiresAtMs, standby?.lifetime.expiresAtMs ?? Infinity);
    void this.#start(key, id, () => this.#ports.pace.run(credential, endsAtMs, rotate));
  }

  /** A tool may have got the token while this waited for its service. */
  async #unlessUsed(id: CredentialId, cause: AttemptCause): Promise<void> {
    const credential = this.#present(id);
    if (credential !== null && this.#ports.tools.waitUntilMs(credential, this.#ports.clock()) !== null)
      return;
    await this.#work.rotate(id, cause);
  }

  #retire(credential: DerivedCredential): void {
    const { id } = credential;
    if (this.#underWay.has(rotationKey(id))) return;
    const retire = () => runExclusive(lockKeyOf(id), () => this.#unlessClosed(() => this.#work.retire(id)));
    void this.#start(retirementKey(id), id, () => this.#ports.pace.run(credential, Infinity, retire));
  }

  #deliver(id: CredentialId, { id: targetId, target }: Target): Promise<void> | null {
    const limit = target.kind === 'hook' ? this.#limitHooks : this.#limitDeliveries;
    return this.#start(deliveryKey(id, targetId), id, () =>
      limit(() => this.#unlessClosed(() => this.#work.deliver(id, targetId))),
    );
  }

  /**
   * Runs a piece of work if it is not running already, and looks for the next one when it is over. Null when it did not
   * start.
   */
  #start(key: string, id: CredentialId, work: () => Promise<void>): Promise<void> | null {
    if (this.#underWay.has(key) || this.#isClosed) return null;
    this.#plan.begin(key);
    const begun = work();
    const run = begun
      .then(
        () => {
          this.#restsUntil.delete(id);
        },
        (error: unknown) => {
          this.#rest(id);
          this.#ports.onFailure(error);
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

  /** Work that has waited in the meantime is not started any more. */
  async #unlessClosed(work: () => Promise<void>): Promise<void> {
    if (!this.#isClosed) await work();
  }

  /** As long as between two quick attempts: an attempt that failed this way leaves no record of when the next one is. */
  #rest(id: CredentialId): void {
    const credential = this.#ports.ledger.state.credentials.get(id);
    if (credential === undefined) return;
    const { lifetime, generation } = credential;
    const failed = { lifetime, attempt: 1, nowMs: this.#ports.clock(), retryAfterMs: null };
    this.#restsUntil.set(id, retryAt({ ...failed, seed: seedOf(id, generation) }));
  }
}
