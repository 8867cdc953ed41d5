import { z } from 'zod';
import {
  AssumedExpiry,
  CredentialId,
  DeliveryTarget,
  RotationPolicy,
  TargetId,
} from '../credential/credential.ts';
import { TroubleKind } from '../credential/credential-view.ts';
import { ProviderChoice } from '../credential/provider.ts';
import { HandoutSum } from '../credential/use.ts';

/** What a credential has with a new token. */
const newValue = z.object({
  credential_id: CredentialId,
  generation: z.int(),
  obtained_at: z.string(),
  expires_at: z.string(),
  /** Why the expiry is assumed; absent: it was said. Older events lack it. */
  expiry_assumed: AssumedExpiry.optional(),
  validity_days: z.int().nullable(),
  /** The service's id of the token, where it has one. Older events lack it. */
  upstream_id: z.string().optional(),
});
/** A token that still works at its service after a newer one took its place, by its number. */
const retiringUntil = z.object({ upstream_id: z.string().nullable(), retire_by: z.string() });

const retiringToken = {
  credential_id: CredentialId,
  generation: z.int(),
  upstream_id: z.string().nullable(),
};
/** SHA-256 of the token: enough to recognise it, and nothing more. */
const fingerprint = z.object({ fingerprint: z.string() });

/** The events of a credential, as `eventKinds` has them. */
export const credentialEvents = {
  'credential.added': {
    data: newValue.omit({ generation: true }).extend({
      name: z.string(),
      base_url: z.string().nullable(),
      policy: RotationPolicy,
      /** Whether its service has a rotate endpoint; null: not found out. Events from before it was kept lack it. */
      can_rotate: z.boolean().nullable().optional(),
      /** Default: the one that every credential had before there were others. */
      provider: ProviderChoice.optional(),
    }),
    sealed: fingerprint,
  },
  'credential.policy_changed': {
    data: z.object({ credential_id: CredentialId, policy: RotationPolicy }),
    sealed: z.undefined(),
  },
  /** The service of a credential has moved. Only after its token worked there. */
  'credential.address_changed': {
    data: z.object({ credential_id: CredentialId, base_url: z.string(), before: z.string() }),
    sealed: z.undefined(),
  },
  /** What a provider was told about the token: another credential that helps it, a client certificate, or no longer one. */
  'credential.inputs_changed': {
    data: z.object({ credential_id: CredentialId, inputs: z.record(z.string(), z.string()) }),
    sealed: z.undefined(),
  },
  'credential.paused': {
    data: z.object({ credential_id: CredentialId, until: z.string().nullable() }),
    sealed: z.undefined(),
  },
  'credential.resumed': { data: z.object({ credential_id: CredentialId }), sealed: z.undefined() },
  'credential.rotation_begun': {
    data: z.object({
      credential_id: CredentialId,
      generation: z.int(),
      cause: z.enum(['due', 'owner']),
    }),
    sealed: z.object({ idempotency_key: z.string() }),
  },
  'credential.rotation_failed': {
    data: z.object({
      credential_id: CredentialId,
      kind: TroubleKind,
      message: z.string(),
      /** The other origin to which the service redirects. Older events lack it. */
      redirected_to: z.string().optional(),
      /** Whether the service may have acted although it did not say so. */
      may_have_acted: z.boolean(),
      next_try_at: z.string().nullable(),
    }),
    sealed: z.undefined(),
  },
  /** The reply of its service when it was asked outside of a rotation, if it changed something. */
  'credential.checked': {
    data: z.object({
      credential_id: CredentialId,
      generation: z.int(),
      /** The trouble of the token or its rotation from now on; null: none. */
      trouble: z
        .object({ kind: TroubleKind, message: z.string(), next_try_at: z.string().nullable() })
        .nullable(),
      /** Null: not determined, so it stays as it was. */
      can_rotate: z.boolean().nullable(),
    }),
    sealed: z.undefined(),
  },
  'credential.rotated': {
    data: newValue.extend({
      /** The old token works on until it is deleted: when every target has the new one, and by this instant at the latest. */
      retiring: retiringUntil.optional(),
    }),
    sealed: fingerprint,
  },
  /** The old token was deleted at its service, was gone there already, or has expired. */
  'credential.retired': {
    data: z.object({ ...retiringToken, how: z.enum(['deleted', 'already_gone', 'expired']) }),
    sealed: z.undefined(),
  },
  /** The same token has a later expiry, from `obtained_at` on. */
  'credential.renewed': {
    data: newValue.extend({
      /** Whether it can be renewed further. */
      can_rotate: z.boolean(),
    }),
    sealed: z.undefined(),
  },
  'credential.retire_failed': {
    data: z.object({ ...retiringToken, message: z.string(), next_try_at: z.string().nullable() }),
    sealed: z.undefined(),
  },
  /** The token that works beside the current one and takes its place; null: there is none any more. */
  'credential.standby_changed': {
    data: z.object({
      credential_id: CredentialId,
      generation: z.int(),
      standby: z.object({ obtained_at: z.string(), expires_at: z.string() }).nullable(),
      /** Why it no longer works, or that a reply was lost; null where the owner changed it. */
      message: z.string().nullable(),
    }),
    sealed: z.object({ fingerprint: z.string().nullable() }),
  },
  'credential.value_replaced': {
    data: newValue.extend({
      cause: z.enum(['pasted', 'reissued', 'signed_in']),
      /** The old token works on until it is revoked, as after a rotation. */
      retiring: retiringUntil.optional(),
    }),
    sealed: fingerprint,
  },
  'credential.removed': {
    data: z.object({ credential_id: CredentialId, name: z.string() }),
    sealed: z.undefined(),
  },
  'credential.target_added': {
    data: z.object({ credential_id: CredentialId, target_id: TargetId, target: DeliveryTarget }),
    sealed: z.undefined(),
  },
  'credential.target_removed': {
    data: z.object({ credential_id: CredentialId, target_id: TargetId }),
    sealed: z.undefined(),
  },
  'credential.delivered': {
    data: z.object({
      credential_id: CredentialId,
      target_id: TargetId,
      generation: z.int(),
      /**
       * The output of a hook, without the token; null without output. Missing in events written before this field
       * existed.
       */
      note: z.string().nullable().optional(),
    }),
    sealed: z.undefined(),
  },
  'credential.delivery_failed': {
    data: z.object({
      credential_id: CredentialId,
      target_id: TargetId,
      generation: z.int(),
      message: z.string(),
      next_try_at: z.string().nullable(),
    }),
    sealed: z.undefined(),
  },
  /** The programs to which the token was handed out in a minute. Those of the proxy are in `proxy.used`. */
  'credential.used': {
    data: z.object({ credential_id: CredentialId, minute: z.string(), uses: z.array(HandoutSum) }),
    sealed: z.undefined(),
  },
} as const;
