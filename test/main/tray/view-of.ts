import type { CredentialOutline, VaultStatus } from '../../../src/contract/credential/credential-view.ts';
import type { StoreHealth } from '../../../src/contract/service/portal.ts';
import { defaultSettings } from '../../../src/contract/service/settings.ts';
import { type TrayStatus, trayView, type TrayView } from '../../../src/main/tray/tray-view.ts';
import type { ShellSnapshot } from '../../../src/host/host-port.ts';
import { CredentialId } from '../../../src/contract/credential/credential.ts';
import type { TrayAction, TrayItem } from '../../../src/main/tray/tray-item.ts';
import { quietCredential } from '../../fixtures/quiet-credential.ts';

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
  hours?: ShellSnapshot['hours'];
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
  hours = [],
  movedFrom = null,
  port = null,
  ...rest
}: Given = {}): TrayStatus {
  return {
    snapshot: { credentials, vault, store, pbxs, hours, settings: { ...defaultSettings, port }, movedFrom },
    opensAtLogin: false,
    update: { kind: 'off' },
    timeText: (instant) => `<${instant}>`,
    ...rest,
  };
}

export function viewOf(given: Given = {}, nowMs = noonMs): TrayView {
  return trayView(statusOf(given), nowMs);
}

export const noonMs = Date.parse('2026-03-01T12:00:00.000Z');
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** A credential as the port describes it: a week's token with two days and four hours left at noon, unless stated otherwise. */
export function makeOutline({
  leftMs = 2 * dayMs + 4 * hourMs,
  lifeMs = 7 * dayMs,
  ...differences
}: Partial<CredentialOutline> & { leftMs?: number; lifeMs?: number } = {}): CredentialOutline {
  return {
    ...quietCredential,
    id: CredentialId.parse('cred_1'),
    name: 'smartflo-prod',
    service: 'remote',
    base_url: 'https://api.example.com',
    generation: 3,
    obtained_at: iso(noonMs + leftMs - lifeMs),
    expires_at: iso(noonMs + leftMs),
    validity_days: 7,
    can_rotate: true,
    next_rotation_at: iso(noonMs + hourMs),
    ...differences,
  };
}

/** The menu as text: one line an item, submenus indented, `[x]` for a switch, `>` for clickable items. */
export function readMenu(items: readonly TrayItem[], indent = ''): string[] {
  return items.flatMap((item) => {
    switch (item.kind) {
      case 'separator':
        return [`${indent}---`];
      case 'text':
        return [`${indent}${item.label}`];
      case 'action':
        return [`${indent}> ${item.label}`];
      case 'switch':
        return [`${indent}[${item.isOn ? 'x' : ' '}] ${item.label}`];
      case 'submenu':
        return [`${indent}${item.label}`, ...readMenu(item.items, `${indent}  `)];
    }
  });
}

export function labelsOf(items: readonly TrayItem[]): string[] {
  return items.flatMap((item) => {
    if (item.kind === 'separator') return [];
    return item.kind === 'submenu' ? [item.label, ...labelsOf(item.items)] : [item.label];
  });
}

export function actionsOf(items: readonly TrayItem[]): TrayAction[] {
  return items.flatMap((item) => {
    if (item.kind === 'submenu') return actionsOf(item.items);
    return 'action' in item ? [item.action] : [];
  });
}

/** The labels of the credentials, from top to bottom. */
export function rowsOf({ menu }: TrayView): string[] {
  return menu.flatMap((item) => (item.kind === 'submenu' ? [item.label] : []));
}
