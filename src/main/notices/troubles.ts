import {
  type CredentialOutline,
  isDead,
  type TargetView,
  type TroubleKind,
  isDue,
} from '../../contract/credential/credential-view.ts';
import type { ShellSnapshot } from '../../host/host-port.ts';
import type { Notice } from './notice.ts';
import type { Stage } from './notice-memory.ts';

/**
 * One failed attempt is not reported early on: after sleep the first is made before the network is back, and the next
 * follows within a minute. With 2 percent left there is no time for that.
 */
const attemptsBeforeNews = 2;
/** A delivery that is retried is reported after this many attempts, two or three minutes. */
const deliveriesBeforeNews = 3;

/** Why a credential cannot be rotated; null while it can. */
export function troubleOf(credential: CredentialOutline): TroubleKind | null {
  const { trouble, state } = credential;
  if (trouble !== null && isNotRetried(credential)) return trouble.kind;
  return state === 'expired' ? 'expired' : (trouble?.kind ?? null);
}

/** How urgent that is. */
export function stageOf(credential: CredentialOutline): Stage {
  const { trouble, state, warning } = credential;
  if (isNotRetried(credential) || isDead(credential)) return 4;
  if (state === 'reminder') return reminderStage(credential);
  if (trouble === null || warning === null) return 0;
  if (warning === 2) return 3;
  if (trouble.attempts < attemptsBeforeNews) return 0;
  return warning === 10 ? 2 : 1;
}

/** The stage of a token that is not rotated: by time alone, because no attempt is made. */
function reminderStage({ warning }: CredentialOutline): Stage {
  return warning === 2 ? 3 : warning === 10 ? 2 : warning === 20 ? 1 : 0;
}

/** Tokens that are not rotated and expire soon. */
export function endingReminders({ credentials }: Pick<ShellSnapshot, 'credentials'>): CredentialOutline[] {
  return credentials.filter((one) => one.state === 'reminder' && reminderStage(one) > 0);
}

/**
 * Whether the vault does not work and a rotation or a delivery needs it.
 *
 * A prompt that a person closed while copying a token is not reported.
 */
export function isVaultMissed({ credentials, vault }: ShellSnapshot): boolean {
  return credentials.some(
    ({ trouble, targets }) =>
      trouble?.kind === 'vault' ||
      (vault.status !== 'ok' && targets.some(({ status }) => status === 'failing')),
  );
}

export function isStoreRefusing({ store }: ShellSnapshot): boolean {
  return store.status === 'refusing';
}

/** The credentials that would be rotated now, if it were confirmed that the data are used here only. */
export function waitingForMove(
  { credentials, movedFrom }: ShellSnapshot,
  nowMs: number,
): CredentialOutline[] {
  if (movedFrom === null) return [];
  return credentials.filter((one) => isDue(one, nowMs));
}

/**
 * How urgent it is to confirm that the data are used here. 0: nothing waits for that. 1: it does. 2, 3: a token that should be rotated
 * has 10 or 2 percent of its lifetime left. By time alone, because no attempt is made.
 */
export function movedLevel(snapshot: ShellSnapshot, nowMs: number): number {
  if (snapshot.movedFrom === null) return 0;
  const shares = waitingForMove(snapshot, nowMs).map(({ obtained_at: from, expires_at: to }) => {
    const lifeMs = Date.parse(to) - Date.parse(from);
    return lifeMs > 0 ? (Date.parse(to) - nowMs) / lifeMs : 0;
  });
  const least = Math.min(1, ...shares);
  return least <= 0.02 ? 3 : least <= 0.1 ? 2 : 1;
}

export interface FailedDelivery {
  readonly credential: CredentialOutline;
  readonly target: TargetView;
}

/**
 * Deliveries that keep failing: rotation works, but an app still has a token that is refused.
 *
 * While the vault does not work nothing can be delivered, and only the vault is reported.
 */
export function failedDeliveries({ credentials, vault }: ShellSnapshot): FailedDelivery[] {
  if (vault.status !== 'ok') return [];
  return credentials.flatMap((credential) =>
    (isDead(credential) ? [] : credential.targets)
      .filter(
        ({ status, next_try_at: nextTryAt, attempts }) =>
          status === 'failing' && (nextTryAt === null || attempts >= deliveriesBeforeNews),
      )
      .map((target) => ({ credential, target })),
  );
}

/** Whether no further attempt is planned, also where the token itself still works. */
function isNotRetried({ trouble }: CredentialOutline): boolean {
  return trouble?.next_try_at === null;
}

/** Something that can be wrong: `credential <id>`, `target <id>`, the vault, the store, or where the data come from. */
export type Subject = `credential ${string}` | `target ${string}` | 'vault' | 'store' | 'moved';

export interface SubjectNotice {
  readonly notice: Notice;
  /** It is withdrawn when none of these has a problem any more. Empty: it reports an event, and stays. */
  readonly about: readonly Subject[];
}

/** Everything that has a problem, reported or not. */
export function wrongSubjects(snapshot: ShellSnapshot): Set<Subject> {
  return new Set<Subject>([
    ...snapshot.credentials
      .filter((one) => troubleOf(one) !== null)
      .concat(endingReminders(snapshot))
      .map(({ id }) => `credential ${id}` as const),
    ...failedDeliveries(snapshot).map(({ target }) => `target ${target.id}` as const),
    ...(isVaultMissed(snapshot) ? (['vault'] as const) : []),
    ...(isStoreRefusing(snapshot) ? (['store'] as const) : []),
    ...(snapshot.movedFrom === null ? [] : (['moved'] as const)),
  ]);
}
