import { z } from 'zod';
import {
  type CredentialOutline,
  CredentialState,
  TargetView,
  TroubleKind,
  VaultStatus,
} from '../credential/credential-view.ts';
import { MovedFrom } from '../service/moved-from.ts';
import { PbxTrouble } from '../calls/pbx.ts';
import { ProviderChoice } from '../credential/provider.ts';
import { NarrowRule, ProxyRule } from '../credential/proxy.ts';
import { FamilyId, TokenId, TokenUse } from '../token/token.ts';

const namedCredential = z.object({ name: z.string(), expires_at: z.string() });

const service = {
  service: z.enum(['embedded', 'remote']),
  /** The origin of its service: scheme, host and port. */
  origin: z.string(),
};

const familyParts = {
  family_id: FamilyId,
  token_id: TokenId,
  name: z.string(),
  expires_at: z.string(),
};

/**
 * One thing that needs the owner's attention now, as facts.
 *
 * `message` is a sentence for the person: what happened and what to do.
 */
export const Attention = z.discriminatedUnion('kind', [
  /** No change can be saved. */
  z.object({
    kind: z.literal('store_refusing'),
    code: z.string(),
    message: z.string(),
    since: z.string(),
  }),
  /** What the store repaired when it opened. */
  z.object({ kind: z.literal('journal_repaired'), message: z.string() }),
  /**
   * The data may also be in use elsewhere, and nothing is rotated until somebody confirms that they are not. `waiting`: the
   * credentials that are due, the first to expire first.
   */
  z.object({ kind: z.literal('moved'), from: MovedFrom, waiting: z.array(namedCredential) }),
  /** Tokens can neither be read nor stored. `waiting`: the credentials that are due or have a pending delivery. */
  z.object({
    kind: z.literal('vault'),
    vault: VaultStatus.pick({ kind: true, status: true }),
    message: z.string(),
    waiting: z.array(namedCredential),
  }),
  /** Calls to phone menus are answered by the fallback of the dialplan. */
  z.object({
    kind: z.literal('pbx_unreachable'),
    name: z.string(),
    pbx_trouble: PbxTrouble,
    since: z.string(),
    /** Null: it waits for a person. */
    next_try_at: z.string().nullable(),
  }),
  /** A host of the team does not report any more. */
  z.object({
    kind: z.literal('host_missing'),
    id: z.string(),
    name: z.string(),
    address: z.string(),
    since: z.string(),
    /** Whether another host could take over from the one that leads. */
    has_successor: z.boolean(),
  }),
  /** A credential that waits for a person, or is refused. */
  z.object({
    kind: z.literal('credential'),
    ...namedCredential.shape,
    ...service,
    state: CredentialState.extract(['reply_lost', 'value_missing', 'expired', 'refused']),
    trouble: TroubleKind.nullable(),
    message: z.string(),
    /** Null: it waits for a person. */
    next_try_at: z.string().nullable(),
    /** The token in the embedded service, as `rotavox token` takes it. */
    token_id: TokenId.optional(),
    /** The kind of its service. Default: one like this program. */
    provider: ProviderChoice.optional(),
  }),
  /** Credentials of one service that cannot be rotated for one reason; each is tried again. */
  z.object({
    kind: z.literal('failing'),
    ...service,
    trouble: TroubleKind,
    /** Where the service redirects to. `base_url`: of the one that expires first. */
    redirect: z.object({ to: z.string(), base_url: z.string() }).optional(),
    /** Of the one that expires first. */
    message: z.string(),
    credentials: z.array(namedCredential).min(1),
    /** The next attempt at any of them. */
    next_try_at: z.string().nullable(),
  }),
  /** The token of a paused credential expires soon unless somebody resumes it. */
  z.object({
    kind: z.literal('paused_ends'),
    ...namedCredential.shape,
    paused_until: z.string().nullable(),
  }),
  /** A token that its service cannot rotate expires soon. */
  z.object({
    kind: z.literal('reminder'),
    ...namedCredential.shape,
    ...service,
    /** The kind of its service; absent for one like this program. */
    provider: ProviderChoice.optional(),
    /** Percent of its lifetime that is left at most. */
    left_percent: z.int(),
  }),
  /** Rotation works, but an app still has a token that is refused. */
  z.object({
    kind: z.literal('delivery'),
    name: z.string(),
    target_id: TargetView.shape.id,
    target: TargetView.shape.target,
    message: z.string(),
    next_try_at: z.string().nullable(),
  }),
  /** Rules of the proxy from before that are too wide, so that only what is safe of them is allowed. */
  z.object({
    kind: z.literal('wide_rules'),
    name: z.string(),
    rules: z
      .array(ProxyRule.pick({ id: true, method: true, path: true }).extend({ becomes: z.array(NarrowRule) }))
      .min(1),
  }),
  /** A token that was replaced still works at its service, because it could not be deleted there. */
  z.object({
    kind: z.literal('retirement'),
    name: z.string(),
    ...service,
    /** Its number among the tokens of the credential. */
    generation: z.int(),
    /** When it expires. */
    expires_at: z.string(),
    message: z.string(),
    attempts: z.int(),
    /** Null: a person has to delete it. */
    next_try_at: z.string().nullable(),
  }),
  /** A replaced token was used again. */
  z.object({
    kind: z.literal('reuse'),
    family_id: FamilyId,
    name: z.string(),
    token_id: TokenId,
    at: z.string(),
    address: z.string(),
    user_agent: z.string().nullable(),
    /** All callers, the latest first; the fields above are of the first. */
    uses: z.array(TokenUse).default([]),
    /** The credential that rotates the family. */
    credential: z.string().nullable(),
  }),
  /** An Active token expires soon and is not rotated automatically. */
  z.object({
    kind: z.literal('ends_unkept'),
    ...familyParts,
    validity_days: z.int(),
    /** How often an app has rotated it so far. */
    rotations: z.int(),
  }),
  z.object({ kind: z.literal('suspended_ends'), ...familyParts, reason: z.string().nullable() }),
]);
export type Attention = z.infer<typeof Attention>;
export type AttentionOf<K extends Attention['kind']> = Extract<Attention, { kind: K }>;

/** The most urgent first. */
export const AttentionList = z.object({
  items: z.array(Attention),
  /** How many more there would be. */
  left_out: z.int(),
  /** What happens next automatically. */
  next_rotation: z.object({ name: z.string(), at: z.string() }).nullable(),
});
export type AttentionList = z.infer<typeof AttentionList>;

/**
 * How urgent a concern is; each level is reported once.
 *
 * 0: nothing to report. 1, 2, 3: an attempt failed with 20, 10 or 2 percent of the lifetime left. 4: a person has to act. What has no
 * lifetime has level 1.
 */
export const ConcernLevel = z.literal([0, 1, 2, 3, 4]);
export type ConcernLevel = z.infer<typeof ConcernLevel>;

interface ConcernParts {
  /** What it is about: `credential <id>`, `target <id>`, `vault`, `store` or `moved`. */
  readonly subject: string;
  /** The token that it is about; 0 where it is about none. The next token starts again with nothing reported. */
  readonly generation: number;
  readonly level: ConcernLevel;
}

/** Something that is wrong with a host, for a program that reports each once. The attention list is what a person reads. */
export type Concern =
  /** `reason`: why it cannot be rotated. `counts`: whether the level counts at once, or with the next failed attempt. */
  | (ConcernParts & {
      readonly kind: 'rotation';
      readonly credential: CredentialOutline;
      readonly reason: TroubleKind;
      readonly counts: boolean;
    })
  /** A token that is not rotated expires soon. */
  | (ConcernParts & { readonly kind: 'reminder'; readonly credential: CredentialOutline })
  | (ConcernParts & {
      readonly kind: 'delivery';
      readonly credential: CredentialOutline;
      readonly target: TargetView;
    })
  /** `waiting`: the credentials whose rotation waits for it. */
  | (ConcernParts & {
      readonly kind: 'vault';
      readonly vault: VaultStatus;
      readonly waiting: readonly CredentialOutline[];
    })
  | (ConcernParts & { readonly kind: 'store'; readonly reason: string })
  /** `waiting`: the credentials that are due. */
  | (ConcernParts & {
      readonly kind: 'moved';
      readonly from: MovedFrom;
      readonly waiting: readonly CredentialOutline[];
    });
export type ConcernOf<K extends Concern['kind']> = Extract<Concern, { kind: K }>;
