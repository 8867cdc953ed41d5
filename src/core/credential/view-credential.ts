import {
  type CredentialOutline,
  type CredentialState,
  type CredentialView,
  isTokenRefused,
  type TargetView,
} from '../../contract/credential/credential-view.ts';
import type { ToolWait } from '../connection/tool-wait.ts';
import { originOf } from '../../contract/address.ts';
import type { CredentialProblem } from '../../contract/credential/rotation-trouble.ts';
import { isRefreshed, takesValidity } from '../../providers/catalogue.ts';
import { viewReuses } from '../token/reuse.ts';
import type { TokenFamily } from '../token/token-record.ts';
import { isoInstant, isoInstantOrNull } from '../iso-instant.ts';
import { type ServiceHold, waitOf } from '../rotation/retry-at.ts';
import { urgencyOf, type ZoneOffset } from '../rotation/due-at.ts';
import type { State } from '../state.ts';
import { isUpToPerson } from './attempt-rotation.ts';
import { type Credential, isPaused, type RetiringToken, type Target } from './credential-state.ts';
import { nextDeliveryMs, waitsFor, nextRotationMs } from './next-action.ts';
import { nextRetireMs } from './retirement.ts';
import { planRotations } from './plan-rotations.ts';
import { expiredProblem, deriveCredential, type DerivedCredential, tokenOf } from './derive-credential.ts';

export interface ViewContext {
  readonly nowMs: number;
  readonly zone: ZoneOffset;
  /** The address at which the embedded service listens. */
  readonly embeddedUrl: string;
  /** Returns the sentence for the view's `message`; `text` implements it. */
  readonly describe: (problem: CredentialProblem) => string;
  /** Knows what rotations wait for, as the agent does. Default: they wait for nothing. */
  readonly agent?: {
    holdOf(credential: Pick<Credential, 'baseUrl' | 'provider'>): ServiceHold | null;
    toolWaitOf(credential: Pick<Credential, 'id' | 'generation'>): ToolWait | null;
  };
}

/** A credential as the owner sees it at an instant: everything but its token. */
export function viewCredential(state: State, record: Credential, context: ViewContext): CredentialView {
  const { nowMs, zone } = context;
  return {
    ...outlineCredential(state, record, context),
    planned: planRotations(
      deriveCredential(state, record, nowMs),
      nowMs,
      zone,
      heldUntilMs(record, context),
    ).map(isoInstant),
  };
}

/** The same without the planned rotations, which are most of the work: for frequent readers such as the tray. */
export function outlineCredential(state: State, record: Credential, context: ViewContext): CredentialOutline {
  const { nowMs, zone, embeddedUrl, describe } = context;
  const credential = deriveCredential(state, record, nowMs);
  const { lifetime, trouble, rotation, pause, token, canRotate } = credential;
  const family = familyOf(state, credential);
  const plannedMs = nextRotationMs(credential, nowMs, zone);
  const status = stateOf(credential, plannedMs, nowMs);
  const hold = context.agent?.holdOf(record) ?? null;
  const toolWait = toolWaitOf(record, context);
  const heldMs = hold?.untilMs ?? null;
  const nextMs = plannedMs === null ? null : Math.max(plannedMs, heldUntilMs(record, context) ?? plannedMs);
  const waits = hold === null || nextMs !== hold.untilMs ? null : waitOf(hold);
  return {
    id: credential.id,
    name: credential.name,
    provider: credential.provider,
    service: credential.baseUrl === null ? 'embedded' : 'remote',
    base_url: credential.baseUrl ?? embeddedUrl,
    state: status,
    message:
      waits !== null && trouble === null && status === 'due'
        ? describe({
            code: 'asked_to_wait',
            service: originOf(credential.baseUrl ?? embeddedUrl),
            ...waits,
          })
        : messageOf(credential, status, describe),
    generation: credential.generation,
    obtained_at: isoInstant(lifetime.obtainedAtMs),
    expires_at: isoInstant(lifetime.expiresAtMs),
    ...(credential.expiryAssumed === null ? {} : { expiry_assumed: credential.expiryAssumed }),
    held_since: isoInstantOrNull(credential.heldSinceMs),
    validity_days: credential.validityDays,
    standby:
      credential.standby === null
        ? null
        : { expires_at: isoInstant(credential.standby.lifetime.expiresAtMs) },
    retiring: credential.retiring.map((one) => viewRetiring(credential, one, nowMs)),
    policy: credential.policy,
    takes_validity: takesValidity(credential.provider),
    paused: isPaused(credential, nowMs) ? { until: isoInstantOrNull(pause?.untilMs ?? null) } : null,
    next_rotation_at: nextMs === null ? null : isoInstant(Math.max(nextMs, nowMs)),
    ...(waits === null ? {} : { service_waits_until: waits.until }),
    ...(waits?.asked === undefined || waits.asked === null ? {} : { service_asks_until: waits.asked }),
    ...(toolWait === null || nextMs !== toolWait.untilMs
      ? {}
      : { waits_for_tools: { until: isoInstant(nextMs), tools: [...toolWait.tools] } }),
    can_rotate: token === null ? canRotate : true,
    warning: trouble === null && canRotate !== false ? null : urgencyOf(lifetime, nowMs),
    last_rotated_at: isoInstantOrNull(credential.lastRotatedAtMs),
    rotation: rotation === null ? null : { begun_at: isoInstant(rotation.begunAtMs), cause: rotation.cause },
    trouble:
      trouble === null
        ? null
        : {
            kind: trouble.kind,
            message: describe(trouble.problem),
            ...(trouble.redirectedTo === undefined ? {} : { redirected_to: trouble.redirectedTo }),
            since: isoInstant(trouble.sinceMs),
            attempts: trouble.attempts,
            next_try_at:
              trouble.nextTryMs === null ? null : isoInstant(Math.max(trouble.nextTryMs, heldMs ?? 0)),
          },
    targets: credential.targets.map((target) => viewTarget(credential, target, nowMs)),
    family_id: family?.id ?? null,
    token_id: token?.id ?? null,
    token_name: family?.configuration.name ?? null,
    still_used: family === undefined ? null : stillUsed(state, family),
  };
}

/** One that was begun waits for no tool. */
function toolWaitOf(record: Credential, context: ViewContext): ToolWait | null {
  return record.rotation === null ? (context.agent?.toolWaitOf(record) ?? null) : null;
}

/** Until when what is due waits for its service or for tools; null: it does not. */
function heldUntilMs(record: Credential, context: ViewContext): number | null {
  const instants = [context.agent?.holdOf(record)?.untilMs, toolWaitOf(record, context)?.untilMs];
  return instants.reduce<number | null>(
    (latest, atMs) => (atMs === undefined ? latest : Math.max(latest ?? atMs, atMs)),
    null,
  );
}

function stillUsed(state: State, family: TokenFamily): CredentialView['still_used'] {
  const uses = viewReuses(state, family);
  const [last] = uses;
  if (last === undefined) return null;
  const { token_id, last_at: at, address, user_agent } = last;
  return { token_id, at, address, user_agent, uses };
}

/** The family of its token, if the embedded service issued it. */
export function familyOf(
  state: State,
  credential: Pick<Credential, 'baseUrl' | 'fingerprint'>,
): TokenFamily | undefined {
  const token = tokenOf(state, credential);
  return token === undefined ? undefined : state.tokens.family(token.familyId);
}

/** The most urgent of its states. */
function stateOf(credential: DerivedCredential, nextMs: number | null, nowMs: number): CredentialState {
  const { trouble, rotation, lifetime, targets, canRotate, provider } = credential;
  if (trouble?.kind === 'reply_lost') return 'reply_lost';
  if (trouble?.kind === 'value_missing') return 'value_missing';
  // Where a refresh replaces it, a token that has ended is only due.
  const hasEnded = nowMs >= lifetime.expiresAtMs && !isRefreshed(provider);
  if (trouble?.kind === 'expired' || hasEnded) return 'expired';
  if (trouble?.kind === 'vault') return 'vault_unavailable';
  if (trouble !== null && (trouble.kind === 'refused' || isTokenRefused(trouble.kind))) return 'refused';
  if (trouble !== null) return 'failing';
  if (rotation !== null) return 'rotating';
  if (nextMs !== null && nextMs <= nowMs) return 'due';
  if (targets.some((target) => isFailing(credential, target))) return 'delivery_failing';
  if (canRotate === false) return 'reminder';
  return isPaused(credential, nowMs) ? 'paused' : 'fine';
}

function messageOf(
  credential: DerivedCredential,
  state: CredentialState,
  describe: ViewContext['describe'],
): string | null {
  const { trouble, targets } = credential;
  if (state === 'expired' && !(trouble !== null && isUpToPerson(trouble.kind))) {
    return describe(expiredProblem(credential, trouble?.problem ?? null));
  }
  if (trouble !== null) return describe(trouble.problem);
  return targets.find((target) => isFailing(credential, target))?.failure?.message ?? null;
}

function viewRetiring(credential: DerivedCredential, one: RetiringToken, nowMs: number) {
  const { generation, upstreamId, sinceMs, lifetime, retireByMs, failure } = one;
  const nextMs = failure?.nextTryMs === null ? null : nextRetireMs(credential, one);
  return {
    generation,
    upstream_id: upstreamId,
    since: isoInstant(sinceMs),
    expires_at: isoInstant(lifetime.expiresAtMs),
    retire_by: isoInstant(retireByMs),
    message: failure?.message ?? null,
    attempts: failure?.attempts ?? 0,
    next_try_at: nextMs === null ? null : isoInstant(Math.max(nextMs, nowMs)),
  };
}

/** The targets that it waits for before it gets the current token. */
function waitsOf(credential: DerivedCredential, one: Target): readonly Target[] {
  return one.generation < credential.generation ? waitsFor(credential, one) : [];
}

/** One that failed and waits for others is tried again after them, whatever it failed for. */
function isFailing(credential: DerivedCredential, one: Target): boolean {
  return one.failure !== null && waitsOf(credential, one).length === 0;
}

function statusOf(credential: DerivedCredential, one: Target): TargetView['status'] {
  if (isFailing(credential, one)) return 'failing';
  return one.generation < credential.generation ? 'owed' : 'delivered';
}

function viewTarget(credential: DerivedCredential, one: Target, nowMs: number): TargetView {
  const { id, target, generation, deliveredAtMs, note, failure } = one;
  const waits = waitsOf(credential, one);
  return {
    id,
    target,
    status: statusOf(credential, one),
    ...(waits.length === 0 ? {} : { waits_for: waits.map((other) => other.target) }),
    generation,
    delivered_at: isoInstantOrNull(deliveredAtMs),
    note,
    message: failure?.message ?? null,
    attempts: failure?.attempts ?? 0,
    next_try_at: failure === null ? null : isoInstantOrNull(nextDeliveryMs(credential, one, nowMs)),
  };
}
