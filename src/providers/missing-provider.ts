import { originOf } from '../contract/address.ts';
import type { EndpointFinding } from '../contract/credential/connection-finding.ts';
import type { ProviderTraits } from '../contract/credential/provider-facts.ts';
import type { Result } from '../core/result.ts';
import { providerFacts } from './catalogue.ts';
import {
  failed,
  failedBy,
  type FailedRotation,
  type HeldToken,
  type Inspection,
  type MintedToken,
  type Provider,
  type Reconciled,
} from './provider-port.ts';

/** Stands for a provider whose file was removed. Its credentials wait until the file is back. */
export class MissingProvider implements Provider {
  readonly traits: ProviderTraits;
  readonly endsBy = ['id'] as const;
  readonly #id: string;

  /** `traits`: those of the file that was removed while the program runs. */
  constructor(id: string, traits: ProviderTraits = providerFacts(id).traits) {
    this.#id = id;
    this.traits = traits;
  }

  inspect(): Promise<Inspection> {
    return Promise.resolve({ reply: { kind: 'not_told', reason: { code: 'nothing_known' } }, skewMs: null });
  }

  inspectRotation({ baseUrl }: HeldToken): Promise<EndpointFinding> {
    const service = originOf(baseUrl);
    return Promise.resolve({ outcome: 'unknown', service, reason: { code: 'stopping' } });
  }

  rotate(): Promise<Result<MintedToken, FailedRotation>> {
    return Promise.resolve(failed({ code: 'no_provider', id: this.#id }));
  }

  renew(): Promise<Result<MintedToken, FailedRotation>> {
    return this.rotate();
  }

  /** Repeated until the file is back. */
  end(): Promise<Result<never, FailedRotation>> {
    return Promise.resolve(failed({ code: 'no_provider', id: this.#id }));
  }

  reconcile(): Promise<Reconciled> {
    return Promise.resolve({ kind: 'unclear', failure: failedBy({ code: 'no_provider', id: this.#id }) });
  }
}
