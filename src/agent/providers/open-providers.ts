import { isBuiltIn, type ProviderId } from '../../contract/provider.ts';
import type { ProviderFile } from '../../contract/provider-file.ts';
import type { Clock } from '../../core/ledger.ts';
import type { ServiceCaller } from '../remote/service-caller.ts';
import { AssistedProvider } from './assisted.ts';
import { GithubAppProvider } from './github-app.ts';
import { FileProvider } from './file-provider.ts';
import { GitlabProvider } from './gitlab.ts';
import { MissingProvider } from './missing-provider.ts';
import { OAuthServers } from './oauth-exchange.ts';
import { OAuthProvider } from './oauth.ts';
import type { Provider } from './provider.ts';
import { RotavoxProvider } from './rotavox.ts';
import { SmartfloProvider } from './smartflo.ts';
import { VaultProvider } from './vault.ts';

/** Every provider, by its id. They hold nothing but what they call with. */
export interface Providers {
  /** Any id: that of a file that was removed has one which says so. */
  of(id: string): Provider;
  readonly oauth2: OAuthProvider;
}

export function openProviders(
  caller: ServiceCaller,
  clock: Clock,
  {
    files = [],
    oauthServers = new OAuthServers(caller, clock),
  }: { readonly files?: readonly ProviderFile[]; readonly oauthServers?: OAuthServers } = {},
): Providers {
  const oauth2 = new OAuthProvider('oauth2', oauthServers, clock);
  const builtIn: Readonly<Record<ProviderId, Provider>> = {
    rotavox: new RotavoxProvider(caller, clock),
    gitlab: new GitlabProvider(caller, clock),
    oauth2,
    'oauth2-client': new OAuthProvider('oauth2-client', oauthServers, clock),
    smartflo: new SmartfloProvider(caller, clock),
    'github-app': new GithubAppProvider(caller, clock),
    assisted: new AssistedProvider(caller, clock),
    vault: new VaultProvider(caller, clock),
  };
  const ofFiles = new Map(files.map((file) => [file.id, new FileProvider(file, caller, clock)]));
  return {
    of: (id) => (isBuiltIn(id) ? builtIn[id] : (ofFiles.get(id) ?? new MissingProvider(id))),
    oauth2,
  };
}
