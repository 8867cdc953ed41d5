import type { ProviderId } from '../../contract/provider.ts';
import type { Clock } from '../../core/ledger.ts';
import type { ServiceCaller } from '../remote/service-caller.ts';
import { GitlabProvider } from './gitlab.ts';
import type { Provider } from './provider.ts';
import { RotavoxProvider } from './rotavox.ts';

export type Providers = Readonly<Record<ProviderId, Provider>>;

/** Every provider. They hold nothing but what they call with. */
export function openProviders(caller: ServiceCaller, clock: Clock): Providers {
  return { rotavox: new RotavoxProvider(caller, clock), gitlab: new GitlabProvider(caller, clock) };
}
