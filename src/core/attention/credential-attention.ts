import { originOf } from '../../contract/address.ts';
import type { Attention, AttentionOf } from '../../contract/window/attention.ts';
import {
  type CredentialOutline,
  isDead,
  type TargetView,
  type VaultStatus,
} from '../../contract/credential/credential-view.ts';
import { isDefaultProvider } from '../../contract/credential/provider.ts';
import { instantMs } from '../iso-instant.ts';
import { dayMs } from '../token/token-record.ts';

/** A paused credential is reported one day before its token expires, or with a tenth of the lifetime left. */
const pauseNoticeMs = dayMs;
const pauseNoticeShare = 0.1;

/** The credentials that need attention. The input is ordered by urgency, most urgent first, and so is the output. */
export function credentialAttention(
  credentials: readonly CredentialOutline[],
  vault: VaultStatus,
  nowMs: number,
): Attention[] {
  return [
    ...credentials.flatMap(stuckCredential),
    ...failuresByCause(credentials),
    ...credentials.filter((one) => endsPaused(one, nowMs)).map(endingPause),
    ...credentials.flatMap(endingReminder),
    // While the vault does not work nothing can be delivered, so only the vault is reported.
    ...(vault.status === 'ok' ? credentials.flatMap(failedDeliveries) : []),
    ...credentials.flatMap((one) => failedRetirements(one, nowMs)),
  ];
}

/** The vault, while it does not work and a credential exists or still waits for it. */
export function vaultAttention(
  credentials: readonly CredentialOutline[],
  vault: VaultStatus,
): AttentionOf<'vault'>[] {
  const works = vault.status === 'ok';
  const waiting = credentials.filter(
    ({ state, targets }) =>
      state === 'vault_unavailable' || (!works && targets.some(({ status }) => status === 'failing')),
  );
  if (works ? waiting.length === 0 : credentials.length === 0) return [];
  const message = vault.message ?? waiting[0]?.message ?? '';
  const { kind, status } = vault;
  return [{ kind: 'vault', vault: { kind, status }, message, waiting: waiting.map(named) }];
}

function stuckCredential(one: CredentialOutline): AttentionOf<'credential'>[] {
  const { state, trouble, message, token_id, provider } = one;
  if (state !== 'reply_lost' && state !== 'value_missing' && state !== 'expired' && state !== 'refused')
    return [];
  return [
    {
      kind: 'credential',
      ...named(one),
      ...serviceOf(one),
      state,
      trouble: trouble?.kind ?? null,
      message: message ?? '',
      next_try_at: trouble?.next_try_at ?? null,
      ...(token_id === null ? {} : { token_id }),
      ...(isDefaultProvider(provider) ? {} : { provider }),
    },
  ];
}

/** A service that does not answer is one item, however many credentials it has. */
function failuresByCause(credentials: readonly CredentialOutline[]): AttentionOf<'failing'>[] {
  const causes = new Map<string, AttentionOf<'failing'>>();
  for (const one of credentials) {
    const { state, trouble } = one;
    if (state !== 'failing' || trouble === null) continue;
    const { next_try_at, redirected_to: to } = trouble;
    const cause = `${trouble.kind} ${originOf(one.base_url)} ${to ?? ''}`;
    const known = causes.get(cause);
    if (known === undefined) {
      causes.set(cause, {
        kind: 'failing',
        ...serviceOf(one),
        trouble: trouble.kind,
        ...(to === undefined ? {} : { redirect: { to, base_url: one.base_url } }),
        message: trouble.message,
        credentials: [named(one)],
        next_try_at,
      });
    } else {
      known.credentials.push(named(one));
      known.next_try_at = sooner(known.next_try_at, next_try_at);
    }
  }
  return [...causes.values()];
}

/** Whether a pause outlasts a token that expires soon. A credential with a trouble is reported as that instead. */
function endsPaused(one: CredentialOutline, nowMs: number): boolean {
  if (one.paused === null || one.rotation !== null || one.trouble !== null || one.can_rotate === false)
    return false;
  const expiresAtMs = instantMs(one.expires_at);
  if (expiresAtMs <= nowMs) return false;
  const isResumedInTime = one.next_rotation_at !== null && instantMs(one.next_rotation_at) < expiresAtMs;
  const lifetimeMs = expiresAtMs - instantMs(one.obtained_at);
  return !isResumedInTime && expiresAtMs - nowMs <= Math.max(pauseNoticeMs, lifetimeMs * pauseNoticeShare);
}

function endingPause(one: CredentialOutline): AttentionOf<'paused_ends'> {
  return { kind: 'paused_ends', ...named(one), paused_until: one.paused?.until ?? null };
}

function endingReminder(one: CredentialOutline): AttentionOf<'reminder'>[] {
  if (one.state !== 'reminder' || one.warning === null) return [];
  const kind = isDefaultProvider(one.provider) ? {} : { provider: one.provider };
  return [{ kind: 'reminder', ...named(one), ...serviceOf(one), ...kind, left_percent: one.warning }];
}

function failedDeliveries(one: CredentialOutline): AttentionOf<'delivery'>[] {
  return undelivered(one).map(({ id, target, message, next_try_at }) => ({
    kind: 'delivery',
    name: one.name,
    target_id: id,
    target,
    message: message ?? '',
    next_try_at,
  }));
}

/** The targets that do not get a token that works: one that does not is delivered nowhere, and its own trouble is reported. */
export function undelivered(one: CredentialOutline): TargetView[] {
  return isDead(one) ? [] : one.targets.filter(({ status }) => status === 'failing');
}

/** A deletion is retried: a single failure is not reported before the overlap is over. */
const retirementsBeforeNews = 3;

/** Old tokens that should be deleted by now, and are not. */
function failedRetirements(one: CredentialOutline, nowMs: number): AttentionOf<'retirement'>[] {
  return one.retiring.flatMap((old) => {
    const { generation, message, attempts, next_try_at, expires_at, retire_by: retireBy } = old;
    if (message === null || instantMs(expires_at) <= nowMs) return [];
    const isNews =
      next_try_at === null || attempts >= retirementsBeforeNews || instantMs(retireBy) + dayMs <= nowMs;
    const item = {
      name: one.name,
      ...serviceOf(one),
      generation,
      expires_at,
      message,
      attempts,
      next_try_at,
    };
    return isNews ? [{ kind: 'retirement', ...item }] : [];
  });
}

function named({ name, expires_at }: CredentialOutline): { name: string; expires_at: string } {
  return { name, expires_at };
}

function serviceOf({ service, base_url: baseUrl }: CredentialOutline) {
  return { service, origin: originOf(baseUrl) };
}

function sooner(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
