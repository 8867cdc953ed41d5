import { z } from 'zod';
import { AssumedExpiry, CredentialId, RotationPolicy, StoredTarget, TargetId } from './credential.ts';
import { defaultProvider, ProviderChoice } from './provider.ts';
import { RunningTool } from './use.ts';
import { FamilyId, TokenId, TokenUse } from '../token/token.ts';

/** Why a rotation failed, as a code; the message is the sentence. */
export const troubleKinds = [
  /** There is no reply, or not in time. Retried. */
  'unreachable',
  /** It replies with another error, or with something that is not a rotation. Retried. */
  'service_failed',
  /** A redirect to another origin or a certificate that does not verify: the token was not sent on. Retried. */
  'unsafe',
  /** The service refuses for now (the address is not allowed). Retried. */
  'refused',
  /** Suspended. It works again when it is resumed where it was issued. */
  'suspended',
  /** The keychain is locked, absent or failing. Retried. */
  'vault',
  /** The service does not know the token. A person has to enter a new one. */
  'invalid',
  /** Another program rotated it and has the new one. A person has to enter a new one. */
  'superseded',
  /** Blacklisted. A person has to enter a new one. */
  'blacklisted',
  /** It expired before it could be replaced. A person has to enter a new one. */
  'expired',
  /** The service acted, its reply was lost and it does not repeat it. A person has to enter a new token. */
  'reply_lost',
  /** The vault has no token for it, or not the one that was stored there. A person has to enter one. */
  'value_missing',
  /** The service has no rotate endpoint. A person has to check base_url, or ask for reminders only. */
  'no_endpoint',
] as const;
export const TroubleKind = z.enum(troubleKinds);
export type TroubleKind = z.infer<typeof TroubleKind>;

/** The state of a credential, the most urgent first where several apply. */
export const credentialStates = [
  'reply_lost',
  'value_missing',
  'expired',
  'refused',
  'vault_unavailable',
  'failing',
  'rotating',
  'due',
  'delivery_failing',
  'paused',
  /** Its service has no rotate endpoint, and the owner is reminded of the end. */
  'reminder',
  'fine',
] as const;
export const CredentialState = z.enum(credentialStates);
export type CredentialState = z.infer<typeof CredentialState>;

/** A delivery target and its receipt. */
export const TargetView = z.object({
  id: TargetId,
  target: StoredTarget,
  /** `delivered`: it has the current token. `owed`: not yet. `failing`: the delivery failed. */
  status: z.enum(['delivered', 'owed', 'failing']),
  /** The generation that it has, 0 for none, and since when. */
  generation: z.int(),
  delivered_at: z.string().nullable(),
  /** What the target said when it took that value, without the value: the end of a hook's output. */
  note: z.string().nullable().default(null),
  /** Why the current token was not delivered. */
  message: z.string().nullable(),
  /** Of a command that waits: the targets that have to have the current token first. */
  waits_for: z.array(StoredTarget).optional(),
  attempts: z.int(),
  next_try_at: z.string().nullable(),
});
export type TargetView = z.infer<typeof TargetView>;

/** A credential as the owner sees it. Its token is requested separately. */
export const CredentialView = z.object({
  id: CredentialId,
  name: z.string(),
  /** The kind of its service, and what it was told about the token. */
  provider: ProviderChoice.default(defaultProvider),
  /** `embedded`: the service of this program. */
  service: z.enum(['embedded', 'remote']),
  base_url: z.string(),
  state: CredentialState,
  /** What happened, what it means and what to do; null if there is nothing to report. */
  message: z.string().nullable(),
  /** How often the token was replaced here, counting the first as 1. */
  generation: z.int(),
  /** Of a renewed token: when it was renewed. */
  obtained_at: z.string(),
  expires_at: z.string(),
  /** Why `expires_at` is assumed; absent: the service, the token itself or a person said it. */
  expiry_assumed: AssumedExpiry.optional(),
  /** When a renewed token was obtained; null for any other. */
  held_since: z.string().nullable().default(null),
  validity_days: z.int().nullable(),
  /** The token that works beside the current one; a rotation replaces it, and the current one takes its place. */
  standby: z.object({ expires_at: z.string() }).nullable().default(null),
  /** Older tokens that still work at the service, oldest first. They are deleted when every target has a newer one. */
  retiring: z
    .array(
      z.object({
        generation: z.int(),
        /** The service's id of it; null: unknown, so that a person has to delete it there. */
        upstream_id: z.string().nullable(),
        /** Since when a newer one is current. */
        since: z.string(),
        expires_at: z.string(),
        /** When it is deleted at the latest. */
        retire_by: z.string(),
        /** Why it could not be deleted; null: nothing failed. */
        message: z.string().nullable(),
        attempts: z.int(),
        /** The next attempt; null: none is planned yet, or it waits for a person. */
        next_try_at: z.string().nullable(),
      }),
    )
    .default([]),
  policy: RotationPolicy,
  /** Whether its service can be asked for how long a new token is valid. */
  takes_validity: z.boolean().default(false),
  paused: z.object({ until: z.string().nullable() }).nullable(),
  /** Whether its service has a rotate endpoint; null while that is unknown. Without one nothing is planned. */
  can_rotate: z.boolean().nullable().default(null),
  /** The exact instant of the next attempt; null where none is planned: paused without an end, or it waits for a person. */
  next_rotation_at: z.string().nullable(),
  /** Its service got too many calls, and is called about tokens again at this instant; absent: it is not the reason. */
  service_waits_until: z.string().optional(),
  /** Until when the service itself asks to wait, perhaps longer than that; absent: it does not say. */
  service_asks_until: z.string().optional(),
  /** It is due, and waits until then at most for tools that run with the token; absent: it does not. */
  waits_for_tools: z.object({ until: z.string(), tools: z.array(RunningTool) }).optional(),
  /** The planned rotations of the next 90 days, by the function that the loop uses. */
  planned: z.array(z.string()),
  /** Percent of the lifetime left that a failing credential, or one that is not rotated, has fallen to. */
  warning: z.union([z.literal(20), z.literal(10), z.literal(2)]).nullable(),
  last_rotated_at: z.string().nullable(),
  /** The rotation that is in progress. */
  rotation: z.object({ begun_at: z.string(), cause: z.enum(['due', 'owner']) }).nullable(),
  trouble: z
    .object({
      kind: TroubleKind,
      message: z.string(),
      /** The other origin to which the service redirects. */
      redirected_to: z.string().optional(),
      since: z.string(),
      attempts: z.int(),
      /** Null: it waits for a person. */
      next_try_at: z.string().nullable(),
    })
    .nullable(),
  targets: z.array(TargetView),
  /** The family in the embedded service that the value belongs to. */
  family_id: FamilyId.nullable(),
  /** The token in the embedded service, as `rotavox token` takes it. */
  token_id: TokenId.nullable().default(null),
  /** What the token was called when it was issued in the embedded service. */
  token_name: z.string().nullable().default(null),
  /** Who last used a token that had been replaced. */
  still_used: z
    .object({
      token_id: TokenId,
      at: z.string(),
      address: z.string(),
      user_agent: z.string().nullable(),
      /** All callers, the latest first; the fields above are of the first. */
      uses: z.array(TokenUse).default([]),
    })
    .nullable(),
});
export type CredentialView = z.infer<typeof CredentialView>;

/** A credential without its planned rotations. */
export type CredentialOutline = Omit<CredentialView, 'planned'>;

const tokenRefused: ReadonlySet<TroubleKind> = new Set([
  'invalid',
  'suspended',
  'superseded',
  'blacklisted',
  'expired',
  'reply_lost',
]);

/** Whether a trouble is that the token itself does not work, perhaps until it is resumed; others are about its rotation. */
export function isTokenRefused(kind: TroubleKind): boolean {
  return tokenRefused.has(kind);
}

/** Whether the token of a credential is known not to work, whatever was said of its end before. */
export function isDead({
  state,
  trouble,
}: Pick<CredentialView, 'state'> & { trouble: { kind: TroubleKind } | null }): boolean {
  return state === 'expired' || (trouble !== null && isTokenRefused(trouble.kind));
}

/** Whether no attempt can help: a person has to enter a token, or have one issued. A suspended token may be resumed. */
export function waitsForPerson(
  one: Pick<CredentialView, 'state'> & { trouble: { kind: TroubleKind } | null },
): boolean {
  if (one.state === 'reply_lost' || one.state === 'value_missing') return true;
  return isDead(one) && one.trouble?.kind !== 'suspended';
}

/** Whether it would be rotated now. */
export function isDue(
  { next_rotation_at: at }: Pick<CredentialOutline, 'next_rotation_at'>,
  nowMs: number,
): boolean {
  return at !== null && Date.parse(at) <= nowMs;
}

/** Whether there is anything to rotate or to pause: not where the service cannot, and not a token that this service refuses. */
export function mayRotate({ can_rotate, service, rotation, trouble }: CredentialOutline): boolean {
  if (can_rotate === false) return false;
  return service === 'remote' || rotation !== null || trouble === null || !isTokenRefused(trouble.kind);
}

/** Where tokens are stored, and whether that works. */
export const VaultStatus = z.object({
  kind: z.enum(['keychain', 'file', 'postgres', 'memory']),
  /** What opens an encrypted file: a key in a file beside it, or a passphrase. */
  key: z.enum(['file', 'passphrase']).optional(),
  description: z.string(),
  status: z.enum(['ok', 'locked', 'absent', 'failed']),
  /** What to do; null while it works. */
  message: z.string().nullable(),
});
export type VaultStatus = z.infer<typeof VaultStatus>;
/** Where tokens are stored, and what opens it. */
export const VaultKind = VaultStatus.pick({ kind: true, key: true });
export type VaultKind = z.infer<typeof VaultKind>;

const idsError = 'must be the ids of up to 100 credentials, with commas between them';
/** What of the list is wanted; without it all, each with its dry run. */
export const CredentialQuery = z.object({
  /** `false`: without the dry runs, which are most of the bytes. Each `planned` is then empty. */
  planned: z.enum(['true', 'false'], { error: 'must be true or false' }).optional(),
  /** Only these, as far as they are there. Empty: none, for who asks how the vault is. */
  ids: z
    .string()
    .regex(/^(?:\w{1,63}(?:,\w{1,63}){0,99})?$/, idsError)
    .optional(),
});
export type CredentialQuery = z.infer<typeof CredentialQuery>;

export const CredentialList = z.object({ credentials: z.array(CredentialView), vault: VaultStatus });
export type CredentialList = z.infer<typeof CredentialList>;

/** The only reply that contains a token. */
export const CredentialValue = z.object({
  name: z.string(),
  value: z.string(),
  generation: z.int(),
  expires_at: z.string(),
  /** Why it is uncertain that the token works: it may have been replaced, or be refused. */
  note: z.string().optional(),
});
export type CredentialValue = z.infer<typeof CredentialValue>;
