import type { NetworkStatus, ProxyLoginInput } from '../../contract/service/network.ts';
import type { SettingsChange } from '../../contract/service/settings.ts';
import type { Result } from '../result.ts';

/** The port to how calls leave this machine, for those who show or change it. `host` implements it. */
export interface NetworkPort {
  status(): Promise<NetworkStatus>;
  /** Why settings would not work, as a sentence for the field; null: they can be saved. */
  refusalOf(
    change: SettingsChange,
  ): { readonly field: keyof SettingsChange; readonly message: string } | null;
  /** Stores the login for the proxy in use; null: forgets it. Refused where there is no proxy, or no vault. */
  setLogin(login: ProxyLoginInput | null): Promise<Result<null, 'no_proxy' | 'vault'>>;
}
