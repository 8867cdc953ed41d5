import type { CredentialOutline, VaultStatus } from '../../../src/contract/credential/credential-view.ts';
import type { StoreHealth } from '../../../src/contract/service/portal.ts';
import { defaultSettings } from '../../../src/contract/service/settings.ts';
import { trayView, type TrayStatus, type TrayView } from '../../../src/main/tray/tray-view.ts';
import type { ShellSnapshot } from '../../../src/host/host-port.ts';
import { noonMs } from './make-outline.ts';

export const goodVault: VaultStatus = {
  kind: 'keychain',
  description: 'the keychain',
  status: 'ok',
  message: null,
};
export const goodStore: StoreHealth = { status: 'ok', last_seq: 1 };

/** The difference from a status without problems and credentials. */
export interface Given {
  credentials?: CredentialOutline[];
  vault?: VaultStatus;
  store?: StoreHealth;
  pbxs?: ShellSnapshot['pbxs'];
  movedFrom?: ShellSnapshot['movedFrom'];
  port?: number | null;
  opensAtLogin?: boolean | null;
  update?: TrayStatus['update'];
}

export function statusOf({
  credentials = [],
  vault = goodVault,
  store = goodStore,
  pbxs = [],
  movedFrom = null,
  port = null,
  ...rest
}: Given = {}): TrayStatus {
  return {
    snapshot: { credentials, vault, store, pbxs, settings: { ...defaultSettings, port }, movedFrom },
    opensAtLogin: false,
    update: { kind: 'off' },
    timeText: (instant) => `<${instant}>`,
    ...rest,
  };
}

export function viewOf(given: Given = {}, nowMs = noonMs): TrayView {
  return trayView(statusOf(given), nowMs);
}
