import {
  type CredentialOutline,
  isDead,
  type TargetView,
  type TroubleKind,
} from '../../contract/credential-view.ts';
import type { ShellSnapshot } from '../../host/host-port.ts';
import type { Notice } from './notice.ts';
import type { Stage } from './notice-memory.ts';

/**
 * Early on one failed attempt is no news: after sleep the first one is made before the network is back, and the next
 * one follows within a minute. With 2 percent left there is no time for that.
 */
const attemptsBeforeNews = 2;
/** A delivery that is tried again is news after as many attempts: two or three minutes. */
const deliveriesBeforeNews = 3;

/** Why a credential cannot be kept fresh; null while it can. */
export function troubleOf(credential: CredentialOutline): TroubleKind | null {
  const { trouble, state } = credential;
  if (trouble !== null && waitsForPerson(credential)) return trouble.kind;
  return state === 'expired' ? 'expired' : (trouble?.kind ?? null);
}

/** How far that has come. */
export function stageOf(credential: CredentialOutline): Stage {
  const { trouble, state, warning } = credential;
  if (waitsForPerson(credential) || isDead(credential)) return 4;
  if (state === 'reminder') return reminderStage(credential);
  if (trouble === null || warning === null) return 0;
  if (warning === 2) return 3;
  if (trouble.attempts < attemptsBeforeNews) return 0;
  return warning === 10 ? 2 : 1;
}

/** How near the end of a token is that is not rotated: told by the calendar, for no attempt of anybody's will tell of it. */
function reminderStage({ warning }: CredentialOutline): Stage {
  return warning === 2 ? 3 : warning === 10 ? 2 : warning === 20 ? 1 : 0;
}

/** Tokens that are not rotated and expire soon. */
export function endingReminders({ credentials }: Pick<ShellSnapshot, 'credentials'>): CredentialOutline[] {
  return credentials.filter((one) => one.state === 'reminder' && reminderStage(one) > 0);
}

/**
 * Whether the vault does not work and somebody suffers from it.
 *
 * A prompt that a person closed while they copied a token is no news: they know.
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

export interface FailedDelivery {
  readonly credential: CredentialOutline;
  readonly target: TargetView;
}

/**
 * Deliveries that do not work and will not soon: rotation goes well, and an app is left with a token that is refused.
 *
 * While the vault does not work no value can be brought anywhere; then the vault is what there is to say.
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

function waitsForPerson({ trouble }: CredentialOutline): boolean {
  return trouble !== null && trouble.next_try_at === null;
}

/** Something that can be wrong: `credential <id>`, `target <id>`, the vault or the store. */
export type Subject = `credential ${string}` | `target ${string}` | 'vault' | 'store';

export interface SubjectNotice {
  readonly notice: Notice;
  /** It is withdrawn when none of these is wrong any more. Empty: it tells of something that happened, and stays. */
  readonly about: readonly Subject[];
}

/** Everything that is wrong, told or not. */
export function wrongSubjects(snapshot: ShellSnapshot): Set<Subject> {
  return new Set<Subject>([
    ...snapshot.credentials
      .filter((one) => troubleOf(one) !== null)
      .concat(endingReminders(snapshot))
      .map(({ id }) => `credential ${id}` as const),
    ...failedDeliveries(snapshot).map(({ target }) => `target ${target.id}` as const),
    ...(isVaultMissed(snapshot) ? (['vault'] as const) : []),
    ...(isStoreRefusing(snapshot) ? (['store'] as const) : []),
  ]);
}
