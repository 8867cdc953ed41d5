import type { CredentialOutline, CredentialState } from '../../contract/credential-view.ts';
import type { ShellSnapshot } from '../../host/host-port.ts';
import type { UpdateMenuItem } from '../updates/update-menu-item.ts';
import {
  credentials as credentialsPage,
  designer,
  issueDialog,
  overview,
  settings,
  tokens,
} from '../windows/place.ts';
import { calmPausesLast, credentialItem, labelOf, lastsMs, ringParts } from './credential-item.ts';
import { fullRing, type TrayIcon, type TrayState } from './tray-icon-name.ts';
import { cut, lead, separator, type TrayAction, type TrayItem, updateItem, words } from './tray-item.ts';

/** The tray at an instant: everything there is to show, and nothing about how. */
export interface TrayView {
  readonly icon: TrayIcon;
  /** The most urgent credential in a few words; macOS shows it beside the icon, the others as a tooltip. */
  readonly title: string;
  readonly menu: readonly TrayItem[];
  /** How long all of it stays true by itself, in milliseconds; null while only a change can make it untrue. */
  readonly lastsMs: number | null;
}

export interface TrayStatus {
  /** Null while the service starts. */
  readonly snapshot: ShellSnapshot | null;
  /** Null where this system cannot do it. */
  readonly opensAtLogin: boolean | null;
  readonly update: UpdateMenuItem;
  /** An instant (ISO) in the person's own way of writing and time zone. */
  readonly timeText: (instant: string) => string;
}

/** More than this many rows are no menu any more. */
const maxShown = 10;

const stateOfIcon: Record<CredentialState, TrayState> = {
  reply_lost: 'failing',
  value_missing: 'failing',
  expired: 'failing',
  refused: 'failing',
  vault_unavailable: 'failing',
  failing: 'failing',
  delivery_failing: 'failing',
  rotating: 'due',
  due: 'due',
  paused: 'paused',
  reminder: 'fine',
  fine: 'fine',
};

/** What the tray shows at `nowMs`. */
export function trayView(status: TrayStatus, nowMs: number): TrayView {
  const { snapshot } = status;
  if (snapshot === null) return starting;
  const { store } = snapshot;
  const credentials = calmPausesLast(snapshot.credentials, nowMs);
  const [mostUrgent] = credentials;
  const shown = credentials.slice(0, maxShown);
  const hidden = credentials.length - shown.length;
  const home: TrayAction = { kind: 'show', place: overview };
  return {
    icon: iconOf(mostUrgent, store.status === 'refusing', nowMs),
    title: mostUrgent === undefined ? 'Rotavox' : labelOf(mostUrgent, nowMs),
    menu: [
      ...troublesOf(snapshot).map((label) => ({ kind: 'action' as const, label, action: home })),
      ...(shown.length === 0 ? [words('No credentials yet')] : []),
      ...shown.map((one) => credentialItem(one, status.timeText, nowMs)),
      ...(hidden > 0
        ? [
            {
              kind: 'action' as const,
              label: `… and ${hidden} more`,
              action: { kind: 'show' as const, place: credentialsPage },
            },
          ]
        : []),
      separator,
      lead('Issue a token…', issueDialog),
      lead('IVR designer', designer),
      lead('Overview', overview),
      lead('Tokens', tokens),
      lead('Settings', settings),
      separator,
      ...(status.opensAtLogin === null
        ? []
        : [
            {
              kind: 'switch' as const,
              label: 'Open at login',
              isOn: status.opensAtLogin,
              action: { kind: 'open-at-login' as const, isOn: !status.opensAtLogin },
            },
          ]),
      updateItem(status.update),
      separator,
      { kind: 'action', label: 'Quit Rotavox', action: { kind: 'quit' } },
    ],
    lastsMs: lastsMs(credentials, shown, nowMs),
  };
}

const starting: TrayView = {
  icon: { state: 'idle', fullness: 1 },
  title: 'Rotavox is starting',
  menu: [
    { kind: 'words', label: 'Starting …' },
    separator,
    { kind: 'action', label: 'Quit Rotavox', action: { kind: 'quit' } },
  ],
  lastsMs: null,
};

function iconOf(mostUrgent: CredentialOutline | undefined, isRefusing: boolean, nowMs: number): TrayIcon {
  if (mostUrgent === undefined) return { state: isRefusing ? 'failing' : 'idle', fullness: 1 };
  return {
    state: isRefusing ? 'failing' : stateOfIcon[mostUrgent.state],
    fullness: ringParts(mostUrgent, nowMs) / fullRing,
  };
}

/** What concerns everything, before the credentials. */
function troublesOf({ store, vault }: ShellSnapshot): string[] {
  return [
    ...(store.status === 'refusing' ? [cut(`No change can be saved: ${store.reason}`)] : []),
    ...(vault.status === 'ok' ? [] : [cut(vault.message ?? `The ${vault.kind} does not work`)]),
  ];
}
