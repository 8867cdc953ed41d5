import type { CredentialOutline, VaultStatus } from '../../../src/contract/credential-view.ts';
import type { StoreHealth } from '../../../src/contract/portal.ts';
import { defaultSettings } from '../../../src/contract/settings.ts';
import { trayView, type TrayStatus, type TrayView } from '../../../src/main/tray/tray-view.ts';
import { noonMs } from './make-outline.ts';

export const goodVault: VaultStatus = {
  kind: 'keychain',
  description: 'the keychain',
  status: 'ok',
  message: null,
};
export const goodStore: StoreHealth = { status: 'ok', last_seq: 1 };

/** What differs from a port on which all is well and nothing is kept fresh. */
export interface Told {
  credentials?: CredentialOutline[];
  vault?: VaultStatus;
  store?: StoreHealth;
  opensAtLogin?: boolean | null;
  update?: TrayStatus['update'];
}

export function statusOf({
  credentials = [],
  vault = goodVault,
  store = goodStore,
  ...rest
}: Told = {}): TrayStatus {
  return {
    snapshot: { credentials, vault, store, settings: defaultSettings },
    opensAtLogin: false,
    update: { label: 'Updates are off', enabled: true, action: 'settings' },
    timeText: (instant) => `<${instant}>`,
    ...rest,
  };
}

export function viewOf(told: Told = {}, nowMs = noonMs): TrayView {
  return trayView(statusOf(told), nowMs);
}
