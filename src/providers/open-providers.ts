import type { ProviderFile } from '../contract/credential/provider-file.ts';
import type { Clock } from '../core/ledger.ts';
import { isBuiltIn, isSignedIn, type ProviderId, providerFacts } from './catalogue.ts';
import type { ServiceCaller } from './http/service-caller.ts';
import { AssistedProvider } from './assisted/calls.ts';
import { DatadogProvider } from './datadog/calls.ts';
import { GithubAppProvider } from './github-app/calls.ts';
import { FileProvider } from './file/file-provider.ts';
import { GitlabProvider } from './gitlab/calls.ts';
import { OAuthServers } from './oauth2/oauth-exchange.ts';
import { oauth2ClientFacts, oauthClientServices } from './oauth2-client/facts.ts';
import { OAuthProvider } from './oauth2/calls.ts';
import { oauth2Facts } from './oauth2/facts.ts';
import { oauthServices } from './oauth2/oauth-services.ts';
import {
  type HeldToken,
  type HeldWithOthers,
  type Provider,
  failed,
  failedBy,
  type FailedRotation,
  type Inspection,
  type MintedToken,
  type Reconciled,
} from './provider-port.ts';
import { RotavoxProvider } from './rotavox/calls.ts';
import { SmartfloProvider } from './smartflo/calls.ts';
import { VaultApproleProvider } from './vault-approle/calls.ts';
import { VaultProvider } from './vault/calls.ts';
import { originOf } from '../contract/address.ts';
import type { EndpointFinding } from '../contract/credential/connection-finding.ts';
import type { ProviderTraits } from '../contract/credential/provider-facts.ts';
import type { Result } from '../core/result.ts';

/** Every provider, by its id. They hold nothing but what they call with. */
export interface Providers {
  /** Any id: that of a file that was removed has one which says so. */
  of(id: string): Provider;
  /** Replaces the providers that are files. A call that has begun ends as it began. */
  useFiles(files: readonly ProviderFile[]): void;
  /** Where a person signs in; null: not at a service of this kind. */
  signInAt(id: string): OAuthProvider | null;
}

export function openProviders(
  caller: ServiceCaller,
  clock: Clock,
  files: readonly ProviderFile[] = [],
): Providers {
  const servers = new OAuthServers(caller, clock);
  const oauth2 = new OAuthProvider({ traits: oauth2Facts.traits, services: oauthServices }, servers, clock);
  const oauth2Client = { traits: oauth2ClientFacts.traits, services: oauthClientServices };
  const builtIn: Readonly<Record<ProviderId, Provider>> = {
    rotavox: new RotavoxProvider(caller, clock),
    gitlab: new GitlabProvider(caller, clock),
    oauth2,
    'oauth2-client': new OAuthProvider(oauth2Client, servers, clock),
    smartflo: new SmartfloProvider(caller, clock),
    'github-app': new GithubAppProvider(caller, clock),
    assisted: new AssistedProvider(caller, clock),
    datadog: new DatadogProvider(caller, clock),
    vault: new VaultProvider(caller, clock),
    'vault-approle': new VaultApproleProvider(caller, clock),
  };
  const ofFiles = new Map<string, FileProvider | MissingProvider>();
  const useFiles = (now: readonly ProviderFile[]): void => {
    // A rotation that is under way still has to know when the old token ends.
    for (const [id, { traits }] of ofFiles) ofFiles.set(id, new MissingProvider(id, traits));
    for (const file of now) ofFiles.set(file.id, new FileProvider(file, caller, clock));
  };
  useFiles(files);
  return {
    of: (id) =>
      presenting(isBuiltIn(id) ? builtIn[id] : (ofFiles.get(id) ?? new MissingProvider(id)), caller),
    useFiles,
    signInAt: (id) => (isSignedIn({ id }) ? oauth2 : null),
  };
}

/** The same provider, whose calls present the client certificate of the token that they are about. */
function presenting(provider: Provider, caller: ServiceCaller): Provider {
  const wrap =
    <H extends HeldToken, A extends readonly unknown[], R>(act: (held: H, ...rest: A) => Promise<R>) =>
    (held: H, ...rest: A): Promise<R> =>
      held.clientCertificate === undefined
        ? act(held, ...rest)
        : caller.presenting(held.clientCertificate, () => act(held, ...rest));
  const wrapped = <H extends HeldToken, A extends readonly unknown[], R>(
    act: ((held: H, ...rest: A) => Promise<R>) | undefined,
  ): ((held: H, ...rest: A) => Promise<R>) | undefined => act && wrap(act);
  const { traits, endsBy, secret } = provider;
  const obtain = wrapped(provider.obtain?.bind(provider));
  const rotate = wrapped(provider.rotate?.bind(provider));
  const renew = wrapped(provider.renew?.bind(provider));
  const reconcile = wrapped(provider.reconcile?.bind(provider));
  const end = wrapped(provider.end?.bind(provider));
  return {
    traits,
    endsBy,
    inspect: wrap((held: HeldWithOthers) => provider.inspect(held)),
    inspectRotation: wrap((held: HeldWithOthers) => provider.inspectRotation(held)),
    ...(obtain === undefined ? {} : { obtain }),
    ...(rotate === undefined ? {} : { rotate }),
    ...(renew === undefined ? {} : { renew }),
    ...(reconcile === undefined ? {} : { reconcile }),
    ...(end === undefined ? {} : { end }),
    ...(secret === undefined ? {} : { secret }),
  };
}

/** Stands for a provider whose file was removed. Its credentials wait until the file is back. */
class MissingProvider implements Provider {
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
