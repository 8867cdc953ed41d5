import {
  type CredentialOutline,
  isDead,
  type TroubleKind,
  type VaultStatus,
} from '../../contract/credential/credential-view.ts';
import type { MovedFrom } from '../../contract/service/moved-from.ts';
import type { StoreHealth } from '../../contract/service/portal.ts';
import type { Concern, ConcernLevel, ConcernOf } from '../../contract/window/attention.ts';
import { instantMs } from '../iso-instant.ts';
import { undelivered } from './credential-attention.ts';
import { waitingForMove } from './find-attention.ts';

/**
 * One failed attempt is not reported early on: after sleep the first is made before the network is back, and the next
 * follows within a minute. With 2 percent left there is no time for that.
 */
const attemptsBeforeNews = 2;
/** A delivery that is retried is reported after this many attempts, two or three minutes. */
const deliveriesBeforeNews = 3;

/** The state of a host, as far as something can be wrong in it. */
export interface ConcernFacts {
  readonly credentials: readonly CredentialOutline[];
  readonly vault: VaultStatus;
  readonly store: StoreHealth;
  readonly movedFrom: MovedFrom | null;
}

/** Everything that is wrong at an instant, reported before or not, with how urgent it is. */
export function listConcerns(
  { credentials, vault, store, movedFrom }: ConcernFacts,
  nowMs: number,
): Concern[] {
  return [
    ...(store.status === 'refusing'
      ? [{ kind: 'store' as const, subject: 'store', generation: 0, level: 1 as const, reason: store.reason }]
      : []),
    ...(movedFrom === null ? [] : [movedConcern(movedFrom, waitingForMove(credentials, nowMs), nowMs)]),
    ...vaultConcern(credentials, vault),
    ...credentials.flatMap(rotationConcern),
    ...credentials.flatMap(reminderConcern),
    ...(vault.status === 'ok' ? credentials.flatMap(deliveryConcerns) : []),
  ];
}

/** How urgent the trouble of a credential is. */
export function concernLevel(credential: CredentialOutline): ConcernLevel {
  const { trouble, state, warning } = credential;
  if (isNotRetried(credential) || isDead(credential)) return 4;
  if (warning === null) return 0;
  // By time alone, because no attempt is made.
  if (state === 'reminder') return levels[warning];
  if (trouble === null || (warning !== 2 && trouble.attempts < attemptsBeforeNews)) return 0;
  return levels[warning];
}

const levels = { 20: 1, 10: 2, 2: 3 } as const;

function rotationConcern(credential: CredentialOutline): ConcernOf<'rotation'>[] {
  const reason = reasonOf(credential);
  if (reason === null) return [];
  const level = concernLevel(credential);
  return [{ kind: 'rotation', ...subjectOf(credential), level, credential, reason, counts: level === 4 }];
}

/** Why a credential cannot be rotated; null while it can. */
function reasonOf(credential: CredentialOutline): TroubleKind | null {
  const { trouble, state } = credential;
  if (trouble !== null && isNotRetried(credential)) return trouble.kind;
  return state === 'expired' ? 'expired' : (trouble?.kind ?? null);
}

function reminderConcern(credential: CredentialOutline): ConcernOf<'reminder'>[] {
  if (credential.state !== 'reminder' || credential.warning === null) return [];
  return [{ kind: 'reminder', ...subjectOf(credential), level: concernLevel(credential), credential }];
}

/** Rotation works, but an app still has a token that is refused. */
function deliveryConcerns(credential: CredentialOutline): ConcernOf<'delivery'>[] {
  return undelivered(credential)
    .filter(({ next_try_at: nextTryAt, attempts }) => nextTryAt === null || attempts >= deliveriesBeforeNews)
    .map((target) => ({
      kind: 'delivery',
      subject: `target ${target.id}`,
      generation: credential.generation,
      level: 1,
      credential,
      target,
    }));
}

/**
 * Whether the vault does not work and a rotation or a delivery needs it.
 *
 * A prompt that a person closed while copying a token is not reported.
 */
function vaultConcern(credentials: readonly CredentialOutline[], vault: VaultStatus): ConcernOf<'vault'>[] {
  const waiting = credentials.filter(({ trouble }) => trouble?.kind === 'vault');
  const isDeliveryMissed = vault.status !== 'ok' && credentials.some((one) => hasFailing(one));
  if (waiting.length === 0 && !isDeliveryMissed) return [];
  return [{ kind: 'vault', subject: 'vault', generation: 0, level: 1, vault, waiting }];
}

function hasFailing({ targets }: CredentialOutline): boolean {
  return targets.some(({ status }) => status === 'failing');
}

/** 1: it has to be confirmed. 2, 3: a token that should be rotated has 10 or 2 percent of its lifetime left; no attempt is made. */
function movedConcern(
  from: MovedFrom,
  waiting: readonly CredentialOutline[],
  nowMs: number,
): ConcernOf<'moved'> {
  const least = Math.min(1, ...waiting.map((one) => shareLeft(one, nowMs)));
  const level = least <= 0.1 ? 2 : 1;
  return { kind: 'moved', subject: 'moved', generation: 0, level: least <= 0.02 ? 3 : level, from, waiting };
}

function shareLeft({ obtained_at: from, expires_at: to }: CredentialOutline, nowMs: number): number {
  const lifetimeMs = instantMs(to) - instantMs(from);
  return lifetimeMs > 0 ? (instantMs(to) - nowMs) / lifetimeMs : 0;
}

/** Whether no further attempt is planned, also where the token itself still works. */
function isNotRetried({ trouble }: CredentialOutline): boolean {
  return trouble?.next_try_at === null;
}

function subjectOf({ id, generation }: CredentialOutline): Pick<Concern, 'subject' | 'generation'> {
  return { subject: `credential ${id}`, generation };
}

/**
 * When the list changes by time alone: a credential that is paused, suspended or not rotated expires or reaches the next level, and no
 * attempt is made that could fail. While nothing is rotated at all, that is each of them.
 *
 * Null if there is none. One whose pause ends before it expires is rotated in time.
 */
export function concernsChangeMs(
  { credentials, movedFrom }: Pick<ConcernFacts, 'credentials' | 'movedFrom'>,
  nowMs: number,
): number | null {
  const instants = credentials
    .flatMap((one) => {
      const expiresAtMs = instantMs(one.expires_at);
      if (one.state === 'reminder' || movedFrom !== null) {
        const lifetimeMs = expiresAtMs - instantMs(one.obtained_at);
        return [0.2, 0.1, 0.02, 0].map((left) => Math.ceil(expiresAtMs - lifetimeMs * left));
      }
      if (one.paused === null) return one.trouble?.kind === 'suspended' ? [expiresAtMs] : [];
      const { until } = one.paused;
      return until === null || instantMs(until) >= expiresAtMs ? [expiresAtMs] : [];
    })
    .filter((ms) => ms > nowMs);
  return instants.length === 0 ? null : Math.min(...instants);
}
