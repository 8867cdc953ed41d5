import { z } from 'zod';
import { checkService, fillService } from './provider-inputs.ts';
import { ProviderChoice } from './provider.ts';
import { ClientCertificate, TakenWay } from '../service/network.ts';
import { BaseUrl } from '../shapes.ts';
import { CredentialId, TargetId, TokenValue } from './credential.ts';

/** The result of asking a service about a token. */
export const ConnectionOutcome = z.enum([
  /** The service accepts the token. */
  'works',
  /** The service refuses the token. */
  'refused',
  /** There was no reliable reply; this says nothing about the token. */
  'unreachable',
  /** It answered, but cannot be asked about a token without rotating it. */
  'unknown',
  /** Nothing was asked, because a rotation of this token is open. */
  'busy',
]);
export type ConnectionOutcome = z.infer<typeof ConnectionOutcome>;

/** Whether a token works, according to its service. */
export const ConnectionTest = z.object({
  outcome: ConnectionOutcome,
  /** What happened, what it means and what to do; without the token. */
  message: z.string(),
  checked_at: z.string(),
  /** What the service says of the token, where it says it; its end by this machine's clock. */
  token: z
    .object({
      name: z.string().nullable(),
      status: z.string().nullable(),
      expires_at: z.string(),
      validity_days: z.int().nullable(),
      /** When it was created, where the service says it. */
      created_at: z.string().nullable().optional(),
    })
    .nullable(),
  /** Whether the service can rotate, found out without rotating; absent where it was not asked that. */
  rotation: z
    .object({ outcome: z.enum(['can_rotate', 'cannot_rotate', 'unknown']), message: z.string() })
    .optional(),
  /** How the service was reached; absent where it was not, and for the service of this program. */
  way: TakenWay.optional(),
  /** Milliseconds until the service said whether the value works. */
  took_ms: z.int(),
});
export type ConnectionTest = z.infer<typeof ConnectionTest>;

/** A token that is not stored yet, to be tested with its service. */
export const TestConnection = z
  .strictObject(
    {
      value: TokenValue,
      provider: ProviderChoice.optional(),
      /** Null: the usual address of the provider; without a provider the service of this program. */
      base_url: BaseUrl.nullable().default(null),
      /** What a service that asks for a client certificate gets. */
      client_certificate: ClientCertificate.optional(),
    },
    { error: 'must be a JSON object' },
  )
  .check(checkService)
  .overwrite(fillService);
export type TestConnection = z.output<typeof TestConnection>;

/** Stands for the token in a preview; always the same, whatever the token. */
export const maskedValue = '••••••';

/** What a delivery would do, found by the code that delivers; nothing was written or run. */
export const DeliveryPreview = z.object({
  /** Whether the place can take the token, as far as can be checked beforehand. */
  possible: z.boolean(),
  /** What would happen and what stays, or why it cannot and what to do. */
  message: z.string(),
  /** Where it would happen: the path behind all links, the keychain entry, or the command. */
  place: z.string(),
  /** Whether the file, the entry or the program exists. */
  exists: z.boolean(),
  /**
   * What would change, with every value masked. A line's number is the one that it has now, or that a new line would get;
   * null where the place has no lines. `before` null: new. A line shows the variable's name, quotes and prefix, nothing
   * else of the file. Empty when nothing can be said.
   */
  lines: z.array(
    z.object({
      number: z.int().nullable(),
      before: z.string().nullable(),
      after: z.string().nullable(),
    }),
  ),
});
export type DeliveryPreview = z.infer<typeof DeliveryPreview>;

/** The steps of a rotation and of a delivery, in their order. A rotation that continues may skip some. */
const rotationSteps = [
  /** The intent is on disk; from here on a crash loses nothing. */
  'intent',
  /** An entry in the vault is reserved, so that a locked vault is found before anything is sent. */
  'vault_room',
  /** The service is asked what became of an attempt whose reply was lost. */
  'reconcile',
  /** The service is asked for the new token. */
  'rotate',
  /** The new token is stored in the vault and read back. */
  'vault',
  /** The new token is tested. */
  'verify',
  /** The change is recorded. */
  'record',
  /** The token is delivered to a target. */
  'deliver',
  /** The rotation has succeeded; with a target, the delivery to it. */
  'done',
  /** The rotation has failed for now; with a target, the delivery to it. The message says why. */
  'failed',
] as const;

/**
 * A step that starts, or the end, while it happens: sent to listeners and not stored.
 *
 * `target_id` distinguishes deliveries from rotations: null for the rotation's own steps, whose last is `done` or
 * `failed` with null. After `done` come the deliveries, in parallel: for each target `deliver`, then `done` or `failed`
 * with its id. An automatic delivery (a new target, a retry) has the same steps. Permanent results are reported by
 * `change`.
 */
export const RotationStep = z.object({
  credential_id: CredentialId,
  name: z.string(),
  step: z.enum(rotationSteps),
  target_id: TargetId.nullable(),
  /** Why it failed; null otherwise. */
  message: z.string().nullable(),
  at: z.string(),
});
export type RotationStep = z.infer<typeof RotationStep>;

/** `confirmed_origin`: the person agrees that the token is sent there. Needed where it is another origin than before. */
export const ChangeAddress = z.strictObject({
  base_url: BaseUrl,
  confirmed_origin: z.string().max(500).optional(),
});
export type ChangeAddress = z.infer<typeof ChangeAddress>;

/** What the test at the new address gave. The address is saved only where the token works there. */
export const AddressChange = z.object({ test: ConnectionTest, is_saved: z.boolean() });
export type AddressChange = z.infer<typeof AddressChange>;

/** What became of ending the tokens of a credential at its service. */
export const TokenEnded = z.object({
  /** `ended`: its service was asked and agreed. `ended_before`: it did not work already. `alive`: a person has to end it. */
  outcome: z.enum(['ended', 'ended_before', 'alive']),
  /** Why it works, or what else works; null: nothing does. */
  message: z.string().nullable(),
  /** Where a person ends it; null: not known. */
  page: z.string().nullable(),
});
export type TokenEnded = z.infer<typeof TokenEnded>;
