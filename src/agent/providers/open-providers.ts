import type { ProviderId } from '../../contract/provider.ts';
import type { Clock } from '../../core/ledger.ts';
import type { ServiceCaller } from '../remote/service-caller.ts';
import { AssistedProvider } from './assisted.ts';
import { GithubAppProvider } from './github-app.ts';
import { GitlabProvider } from './gitlab.ts';
import { OAuthServers } from './oauth-exchange.ts';
import { OAuthProvider } from './oauth.ts';
import type { Provider } from './provider.ts';
import { RotavoxProvider } from './rotavox.ts';
import { SmartfloProvider } from './smartflo.ts';
import { VaultProvider } from './vault.ts';

export type Providers = Readonly<Record<ProviderId, Provider>> & { readonly oauth2: OAuthProvider };

/** Every provider. They hold nothing but what they call with. */
export function openProviders(
  caller: ServiceCaller,
  clock: Clock,
  oauthServers = new OAuthServers(caller, clock),
): Providers {
  return {
    rotavox: new RotavoxProvider(caller, clock),
    gitlab: new GitlabProvider(caller, clock),
    oauth2: new OAuthProvider('oauth2', oauthServers, clock),
    'oauth2-client': new OAuthProvider('oauth2-client', oauthServers, clock),
    smartflo: new SmartfloProvider(caller, clock),
    'github-app': new GithubAppProvider(caller, clock),
    assisted: new AssistedProvider(caller, clock),
    vault: new VaultProvider(caller, clock),
  };
}
