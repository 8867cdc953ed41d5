/**
 * The port to a kind of service: how its tokens are inspected and replaced. The recipe (`rotate-credential.ts`) is the same
 * for all of them; what to do after a lost reply is the provider's knowledge. Six verbs: inspect, obtain, rotate, renew, reconcile and end.
 */
import { originOf } from '../contract/address.ts';
import type { EndpointFinding, TokenReply } from '../contract/credential/connection-finding.ts';
import type { AssumedExpiry } from '../contract/credential/credential.ts';
import type { ClientCertificate } from '../contract/service/network.ts';
import type { TroubleKind } from '../contract/credential/credential-view.ts';
import type { ProviderTraits } from '../contract/credential/provider-facts.ts';
import { type RotationTrouble, troubleKindOf } from '../contract/credential/rotation-trouble.ts';
import type { Clock } from '../core/ledger.ts';
import { done, refused, type Result } from '../core/result.ts';
import type { SaidExpiry } from './http/read-expiry.ts';
import { cleanText, redirectOrigin, skewOf } from './http/read-reply.ts';
import type { Answer, CallResult, ServiceCaller } from './http/service-caller.ts';

/**
 * The parts of a secret that programs may get. `access_token` null: there is none yet. `masked`: everything that no text may
 * show.
 */
export interface SecretParts {
  readonly accessToken: string | null;
  readonly refreshToken: string | null;
  readonly masked: readonly string[];
}

/** What a person entered. */
export interface EnteredSecret {
  readonly value: string;
  readonly password: string | undefined;
  /** When it expires, as far as the person said. */
  readonly expiresAtMs: number | null;
}

/** A secret, and the service that issued it. For most providers the secret is the token itself. */
export interface HeldToken {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** What the provider was told when the credential was added. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly token: string;
  readonly timeLimitMs: number;
  /** What is presented to a service that asks for a client certificate. Default: nothing. Rejects if the vault cannot be used. */
  readonly clientCertificate?: () => Promise<ClientCertificate | null>;
}

/** A token, and a way to others. */
export interface HeldWithOthers extends HeldToken {
  /** The token of another credential of the same service; null where it cannot be used now. It rejects if the vault cannot be used. */
  readonly tokenOf: (name: string) => Promise<string | null>;
}

/** One attempt to replace a token; every repetition has the same key. */
export interface Attempt extends HeldWithOthers {
  readonly idempotencyKey: string;
  /** What the new token is called where a service has names: the same for every repetition, and for no other attempt. */
  readonly label: string;
  /** The lifetime that the new token should have, in days, where a service can be asked for one. */
  readonly wantedDays: number;
  /** The most days that the owner wants, which are then the wanted days too. Absent: the owner has not said. */
  readonly mostDays?: number;
  /** When the token was obtained or renewed before, where that is known. */
  readonly sinceMs?: number;
  /** The service's id of the token that is replaced; null: unknown. */
  readonly upstreamId: string | null;
  /** What an earlier repetition remembered; null: nothing. */
  readonly note: string | null;
  /** Writes down what `reconcile` will need, in the vault, before anything is replaced. */
  readonly remember: (note: string) => Promise<void>;
  /** Another token of the same owner that works now; null: there is none. */
  readonly otherToken: string | null;
}

export interface Inspection {
  readonly reply: TokenReply;
  /** How far the service's clock is ahead of ours, in milliseconds; null if it did not say. */
  readonly skewMs: number | null;
}

/** A new token, as the service returned it. */
export interface MintedToken {
  readonly token: string;
  /** Null: not a number of days; it expires at `expiresAtMs`. */
  readonly validityDays: number | null;
  /** When it expires, if the reply says more than the validity. */
  readonly expiresAtMs: number | null;
  /** Why both are assumed. Default: the reply says one of them. */
  readonly expiryAssumed?: AssumedExpiry | null;
  /** Of a renewal: whether no later one can bring a later end. */
  readonly isLast?: boolean;
  /** The service's id of it; absent where it has none. */
  readonly upstreamId?: string;
}

/** A failed attempt. */
export interface FailedRotation {
  readonly kind: TroubleKind;
  readonly trouble: RotationTrouble;
  /** Whether the service may have acted although the attempt failed. */
  readonly mayHaveActed: boolean;
  /** The delay that the service asked for (`Retry-After`). */
  readonly retryAfterMs: number | null;
}

/** How a token was ended, or why only a person can end it: the service has no call for it, or a key stays that makes others. */
export type TokenEnd = 'deleted' | 'already_gone' | 'no_call' | 'key_stays';

/** What became of an attempt whose reply was lost. */
export type Reconciled =
  /** The token was not replaced: the attempt can be made again. */
  | { readonly kind: 'nothing_happened' }
  /** It was replaced, and the new token could be obtained. */
  | { readonly kind: 'recovered'; readonly minted: MintedToken }
  /** It was replaced, and nobody has the new token. */
  | { readonly kind: 'lost' }
  /** Not found out. */
  | { readonly kind: 'unclear'; readonly failure: FailedRotation };

/** Which token is ended: an older one, by its id or its value, or the one that is held. */
export type TokenToEnd =
  | { readonly by: 'id'; readonly id: string }
  | { readonly by: 'value'; readonly value: string }
  | { readonly by: 'itself' };

/** How a secret with several parts is stored. */
export interface SecretForm {
  /**
   * The secret to store for what a person entered; null: it cannot be one. Without an access token in it, the first one is obtained
   * before it is stored. `before`: the secret that it replaces.
   */
  first(entered: EnteredSecret, before: string | null): string | null;
  parts(secret: string): SecretParts;
}

export interface Provider {
  readonly traits: ProviderTraits;
  /** Asks the service about a token. Changes nothing, and is safe with a token that has been replaced. */
  inspect(held: HeldWithOthers): Promise<Inspection>;
  /** Whether the service can replace this token, found out without replacing it. */
  inspectRotation(held: HeldWithOthers): Promise<EndpointFinding>;
  /** Gets the first token with a secret that has none yet. Nothing is stored before, so it may be repeated. */
  obtain?(held: HeldWithOthers): Promise<Result<MintedToken, FailedRotation>>;
  /** Asks for a successor. A failure says whether the service may have acted. Absent: the token is renewed. */
  rotate?(attempt: Attempt): Promise<Result<MintedToken, FailedRotation>>;
  /** Gives the same token a later end (shape `renew`). May be repeated. */
  renew?(attempt: Attempt): Promise<Result<MintedToken, FailedRotation>>;
  /** Called instead of `rotate` while an earlier reply may be lost, if nothing may be repeated before (`after_inspect`). */
  reconcile?(attempt: Attempt): Promise<Reconciled>;
  /** Which tokens `end` can end; none: the service has no such call. */
  readonly endsBy: readonly TokenToEnd['by'][];
  /** Ends a token at its service. `held`: the current one, also where another is ended. May be repeated. */
  end?(held: HeldWithOthers, which: TokenToEnd): Promise<Result<TokenEnd, FailedRotation>>;
  /** Absent: a secret is the token itself and nothing else. */
  readonly secret?: SecretForm;
}

/** What the calls of a provider need. */
export abstract class CallingProvider {
  protected readonly caller: ServiceCaller;
  protected readonly clock: Clock;

  constructor(caller: ServiceCaller, clock: Clock) {
    this.caller = caller;
    this.clock = clock;
  }
}

/** Ends an older token, or the one that is held; null where the service has no call for it. */
export async function endToken(
  provider: Provider,
  held: HeldWithOthers,
  which: TokenToEnd,
): Promise<Result<TokenEnd, FailedRotation> | null> {
  if (provider.end === undefined || !provider.endsBy.includes(which.by)) return null;
  const ended = await provider.end(held, which);
  return ended.ok && ended.value === 'no_call' ? null : ended;
}

/** The token of the credential that creates and ends those of another one. */
export async function guardianOf(held: HeldWithOthers): Promise<Result<string, FailedRotation>> {
  const name = held.inputs['guardian'] ?? '';
  const token = name === '' ? null : await held.tokenOf(name);
  return token === null
    ? failed({ code: 'no_guardian', service: originOf(held.baseUrl), name })
    : done(token);
}

export function partsOf(provider: Provider, secret: string): SecretParts {
  return provider.secret?.parts(secret) ?? { accessToken: secret, refreshToken: null, masked: [secret] };
}

/**
 * An inspection from the answer to one call. `read` gets how far the service's clock is ahead, in milliseconds; 0 where it does
 * not say.
 */
export function inspectionOf(
  heard: CallResult,
  nowMs: number,
  read: (answer: Answer, skewMs: number) => TokenReply,
): Inspection {
  if (heard.kind !== 'answer') {
    return { reply: { kind: 'unreachable', failure: heard.failure }, skewMs: null };
  }
  const skewMs = skewOf(heard.headers['date'], nowMs);
  return { reply: read(heard, skewMs ?? 0), skewMs };
}

/** What is known of a token by what its service says about its end. `token` is in no text. */
export function replyByExpiry(
  expiry: SaidExpiry,
  token: string,
  known: Omit<Extract<TokenReply, { kind: 'known' }>, 'kind' | 'expiresAtMs'>,
): TokenReply {
  const { upstreamId } = known;
  const of = upstreamId === undefined ? {} : { upstreamId };
  const said = (text: string): string => cleanText(text, token) ?? '';
  switch (expiry.kind) {
    case 'at':
      return { kind: 'known', expiresAtMs: expiry.atMs, ...known };
    case 'never':
      return { kind: 'not_told', reason: { code: 'never_expires' }, ...of };
    case 'too_far':
      return { kind: 'not_told', reason: { code: 'expiry_too_far', said: said(expiry.said) }, ...of };
    case 'unreadable':
      return { kind: 'not_told', reason: { code: 'expiry_unreadable', said: said(expiry.said) }, ...of };
    case 'not_said':
      return { kind: 'not_told', reason: { code: 'nothing_known' }, ...of };
  }
}

export function failedBy(
  trouble: RotationTrouble,
  { mayHaveActed = false, retryAfterMs = null }: Partial<FailedRotation> = {},
): FailedRotation {
  return { kind: troubleKindOf(trouble), trouble, mayHaveActed, retryAfterMs };
}

/** A failure by an answer, where a service says no more with its status. `more`: of one that may succeed later. */
export function failedAnswer(
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  { service, said }: { readonly service: string; readonly said: string | null },
  more: Partial<FailedRotation> = {},
): FailedRotation {
  if (status >= 300 && status < 400) {
    return failedBy({ code: 'redirected', service, to: redirectOrigin(headers['location']) });
  }
  if (status === 404 || status === 405) {
    return failedBy({ code: 'no_endpoint', service, status, isRetried: false });
  }
  return failedBy({ code: 'service_failed', service, status, said }, more);
}

export function failed(
  trouble: RotationTrouble,
  more: Partial<FailedRotation> = {},
): Result<never, FailedRotation> {
  return refused(failedBy(trouble, more));
}
