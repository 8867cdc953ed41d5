import type { CredentialId } from '../contract/credential/credential.ts';
import { type ClientCertificate, clientCertificateInput } from '../contract/service/network.ts';
import type { Credential } from '../core/credential/credential-state.ts';
import { deriveCredential } from '../core/credential/derive-credential.ts';
import { credentialNamed } from '../core/credential/find-credential.ts';
import type { Clock, Ledger } from '../core/ledger.ts';
import type { OAuthProvider } from '../providers/oauth2/calls.ts';
import type { Providers } from '../providers/open-providers.ts';
import type { HeldWithOthers, Provider } from '../providers/provider-port.ts';
import type { ClientCertificates } from './vault/client-certificates.ts';
import { readCurrentToken, type TokenStorage } from './vault/token-fingerprints.ts';

/** A credential that exists, or is about to be added with a client certificate that is not stored yet. */
export type OfService = Pick<Credential, 'baseUrl' | 'provider'> & {
  readonly id?: CredentialId;
  readonly name?: string;
  readonly clientCertificate?: ClientCertificate;
};

interface ServicePorts extends TokenStorage {
  readonly ledger: Pick<Ledger, 'state'>;
  readonly clock: Clock;
  readonly providers: Providers;
  readonly clientCertificates: Pick<ClientCertificates, 'of'>;
  /** Where the embedded service listens. */
  readonly embeddedUrl: () => string;
}

/** The services of credentials: where they are, and how they are asked about a token. */
export class Services {
  readonly #ports: ServicePorts;

  constructor(ports: ServicePorts) {
    this.#ports = ports;
  }

  providerOf({ provider }: Pick<Credential, 'provider'>): Provider {
    return this.#ports.providers.of(provider.id);
  }

  /** Where a person signs in; null: not at a service of this kind. */
  signInAt({ provider }: Pick<Credential, 'provider'>): OAuthProvider | null {
    return this.#ports.providers.signInAt(provider.id);
  }

  urlOf({ baseUrl }: Pick<Credential, 'baseUrl'>): string {
    return baseUrl ?? this.#ports.embeddedUrl();
  }

  /** A token as its provider is asked about it. */
  held(of: OfService, token: string, timeLimitMs: number): HeldWithOthers {
    return {
      baseUrl: this.urlOf(of),
      inputs: of.provider.inputs,
      token,
      timeLimitMs,
      ...this.presentedTo(of),
      // Without waiting it may be missed between two writes, never be another one than the record's.
      tokenOf: async (name) => {
        const other = this.findOther(of, name);
        return other === null ? null : readCurrentToken(this.#ports, other);
      },
    };
  }

  /** The client certificate that calls about its token present. */
  presentedTo({ name, provider, clientCertificate }: OfService): Pick<HeldWithOthers, 'clientCertificate'> {
    if (clientCertificate !== undefined)
      return { clientCertificate: () => Promise.resolve(clientCertificate) };
    if (name === undefined || provider.inputs[clientCertificateInput] === undefined) return {};
    return { clientCertificate: () => this.#ports.clientCertificates.of({ name, provider }) };
  }

  /**
   * Another credential of the same service, whose token knows or may do more. Null where it is not known to work: it does not exist,
   * is being rotated, or has ended.
   */
  findOther({ id, baseUrl }: Pick<OfService, 'id' | 'baseUrl'>, name: string): Credential | null {
    const { ledger, clock } = this.#ports;
    const other = credentialNamed(ledger.state, name);
    if (other === undefined || other.id === id || other.rotation !== null) return null;
    // Its token is sent where it belongs, whatever kind of token it is.
    if (other.baseUrl !== baseUrl) return null;
    return deriveCredential(ledger.state, other, clock()).unusable === null ? other : null;
  }
}
