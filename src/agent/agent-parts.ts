import type { CredentialId } from '../contract/credential.ts';
import type { MovedFrom } from '../contract/moved-from.ts';
import { type ClientCertificate, clientCertificateInput } from '../contract/network.ts';
import type { Credential } from '../core/credential/credential-state.ts';
import { deriveCredential } from '../core/credential/derive-credential.ts';
import { credentialNamed } from '../core/credential/find-credential.ts';
import type { Clock, Ledger } from '../core/ledger.ts';
import type { ZoneOffset } from '../core/rotation/due-at.ts';
import type { Vault } from '../core/vault.ts';
import type { ClientCertificates } from './vault/client-certificates.ts';
import type { AgentText } from './agent-text.ts';
import type { OwnPlaces } from './delivery/own-places.ts';
import type { Providers } from '../providers/open-providers.ts';
import type { HeldWithOthers, MintedToken } from '../providers/provider-port.ts';
import type { ServiceCaller } from '../providers/http/service-caller.ts';
import type { RotationProgress } from './rotation/rotation-progress.ts';
import { readCurrentToken, type TokenFingerprints } from './vault/token-fingerprints.ts';
import type { ServicePace } from './loop/service-pace.ts';

/** A new token that was received and is not yet in the vault. */
export interface UnsavedToken {
  readonly idempotencyKey: string;
  readonly minted: MintedToken;
  readonly askedAtMs: number;
}

/** What every part of the agent works with. Made once by `createAgent`. */
export interface AgentParts {
  readonly ledger: Ledger;
  readonly vault: Vault;
  readonly fingerprints: TokenFingerprints;
  readonly ownPlaces: OwnPlaces;
  readonly caller: ServiceCaller;
  readonly clientCertificates: ClientCertificates;
  /** When each service may be called. */
  readonly pace: ServicePace;
  readonly providers: Providers;
  readonly clock: Clock;
  readonly zone: ZoneOffset;
  /** Where the embedded service listens. */
  readonly embeddedUrl: () => string;
  /**
   * Where the data may also be in use; null: nowhere else. Until that is confirmed nothing is done that ends a token or changes a
   * target (decisions/moved-data.md).
   */
  readonly movedFrom: () => MovedFrom | null;
  /** Aborted when the program stops. */
  readonly stopping: AbortSignal;
  /**
   * Tokens that the vault did not take yet. They exist nowhere else until it does, or until the same key is used again.
   */
  readonly unsaved: Map<CredentialId, UnsavedToken>;
  /**
   * Keys that this process has used and whose outcome it knows; with any other key an earlier call may have been made.
   */
  readonly begunKeys: Set<string>;
  /** Attempts to rotate that are under way, those of the loop and those that were asked for. */
  readonly attempts: Map<CredentialId, Promise<void>>;
  /** Called with an unexpected error, for the log; the work that it ended continues as after any other failure. */
  readonly onFailure: (error: unknown) => void;
  /** The sentences of events and replies. */
  readonly text: AgentText;
  /** Calls with a token that others make. */
  readonly calls: {
    /** Makes an attempt to rotate while no call has the token. */
    whileHeld<T>(
      credential: Pick<Credential, 'id' | 'provider' | 'standby'>,
      rotate: () => Promise<T>,
    ): Promise<T>;
  };
  /** Reports the steps of the work. */
  readonly steps: RotationProgress;
}

/** What is needed to ask a provider about a token. */
export type AskingParts = Pick<AgentParts, 'providers' | 'clock' | 'embeddedUrl' | 'vault' | 'fingerprints'> &
  Partial<Pick<AgentParts, 'clientCertificates'>> & {
    readonly ledger: Pick<Ledger, 'state'>;
  };

/** A credential that exists, or is about to be added with a client certificate that is not stored yet. */
export type OfService = Pick<Credential, 'baseUrl' | 'provider'> & {
  readonly name?: string;
  readonly clientCertificate?: ClientCertificate;
};

/** The client certificate that calls about its token present. */
export function presented(
  { clientCertificates }: Partial<Pick<AgentParts, 'clientCertificates'>>,
  { name, provider, clientCertificate }: OfService,
): Pick<HeldWithOthers, 'clientCertificate'> {
  if (clientCertificate !== undefined) return { clientCertificate: () => Promise.resolve(clientCertificate) };
  const hasOne = provider.inputs[clientCertificateInput] !== undefined;
  if (clientCertificates === undefined || name === undefined || !hasOne) return {};
  return { clientCertificate: () => clientCertificates.of({ name, provider }) };
}

/** A token as its provider is asked about it. */
export function heldToken(
  parts: Omit<AskingParts, 'providers'>,
  of: OfService & { readonly id?: CredentialId },
  token: string,
  timeLimitMs: number,
): HeldWithOthers {
  return {
    baseUrl: of.baseUrl ?? parts.embeddedUrl(),
    inputs: of.provider.inputs,
    token,
    timeLimitMs,
    ...presented(parts, of),
    // Without waiting it may be missed between two writes, never be another one than the record's.
    async tokenOf(name) {
      const other = findOther(parts, of, name);
      return other === null ? null : readCurrentToken(parts, other);
    },
  };
}

/**
 * Another credential of the same service, whose token knows or may do more. Null where it is not known to work: it does not exist,
 * is being rotated, or has ended.
 */
export function findOther(
  { ledger, clock }: Pick<AskingParts, 'ledger' | 'clock'>,
  { id, baseUrl }: { readonly id?: CredentialId } & Pick<Credential, 'baseUrl'>,
  name: string,
): Credential | null {
  const other = credentialNamed(ledger.state, name);
  if (other === undefined || other.id === id || other.rotation !== null) return null;
  // Its token is sent where it belongs, whatever kind of token it is.
  if (other.baseUrl !== baseUrl) return null;
  return deriveCredential(ledger.state, other, clock()).unusable === null ? other : null;
}
