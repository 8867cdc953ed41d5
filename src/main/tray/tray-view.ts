import type { CredentialOutline, CredentialState } from '../../contract/credential-view.ts';
import type { ShellSnapshot } from '../../host/host-port.ts';
import type { UpdateState } from '../../contract/update.ts';
import { pbxUnreachableTitle } from '../../text/pbx.ts';
import { generalProblems, placeLabels, trayText } from '../../text/tray.ts';
import {
  credentials as credentialsPage,
  designer,
  issueDialog,
  overview,
  settings,
  tokens,
} from '../windows/place.ts';
import { credentialItem, labelOf, lastsMs, pausedLast, ringParts } from './credential-item.ts';
import { fullRing, type TrayIcon, type TrayState } from './tray-icon-name.ts';
import {
  cut,
  placeItem,
  separator,
  textItem,
  type TrayAction,
  type TrayItem,
  updateItem,
} from './tray-item.ts';

/** Everything that the tray shows at an instant. */
export interface TrayView {
  readonly icon: TrayIcon;
  /** The most urgent credential in a few words; macOS shows it beside the icon, the others as a tooltip. */
  readonly title: string;
  readonly menu: readonly TrayItem[];
  /** How long it stays correct unless something changes, in milliseconds; null: until something changes. */
  readonly lastsMs: number | null;
}

export interface TrayStatus {
  /** Null while the service starts. */
  readonly snapshot: ShellSnapshot | null;
  /** Null where this system cannot do it. */
  readonly opensAtLogin: boolean | null;
  readonly update: UpdateState;
  /** Writes an instant (ISO) in the local format and time zone. */
  readonly timeText: (instant: string) => string;
}

/** More items than this are too many for a menu. */
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
  const credentials = pausedLast(snapshot.credentials, nowMs);
  const [mostUrgent] = credentials;
  const shown = credentials.slice(0, maxShown);
  const hidden = credentials.length - shown.length;
  const home: TrayAction = { kind: 'show', place: overview };
  return {
    icon: iconOf(mostUrgent, store.status === 'refusing', nowMs),
    title: mostUrgent === undefined ? trayText.title : labelOf(mostUrgent, nowMs),
    menu: [
      ...generalProblems(snapshot.store, snapshot.vault).map((problem) => ({
        kind: 'action' as const,
        label: cut(problem),
        action: home,
      })),
      ...snapshot.pbxs
        .filter(({ state }) => state.status === 'unreachable')
        .map(({ name }) => ({
          kind: 'action' as const,
          label: cut(pbxUnreachableTitle(name)),
          action: home,
        })),
      ...callsItem(snapshot),
      ...(shown.length === 0 ? [textItem(trayText.none)] : []),
      ...shown.map((one) => credentialItem(one, status.timeText, nowMs)),
      ...(hidden > 0
        ? [
            {
              kind: 'action' as const,
              label: trayText.more(hidden),
              action: { kind: 'show' as const, place: credentialsPage },
            },
          ]
        : []),
      separator,
      placeItem(placeLabels.issueToken, issueDialog),
      placeItem(placeLabels.designer, designer),
      placeItem(placeLabels.overview, overview),
      placeItem(placeLabels.tokens, tokens),
      placeItem(placeLabels.settings, settings),
      separator,
      ...(status.opensAtLogin === null
        ? []
        : [
            {
              kind: 'switch' as const,
              label: trayText.openAtLogin,
              isOn: status.opensAtLogin,
              action: { kind: 'open-at-login' as const, isOn: !status.opensAtLogin },
            },
          ]),
      updateItem(status.update),
      separator,
      { kind: 'action', label: trayText.quit, action: { kind: 'quit' } },
    ],
    lastsMs: lastsMs(credentials, shown, nowMs),
  };
}

/** How many calls are in menus, where there is a telephone system. */
function callsItem({ pbxs }: ShellSnapshot): TrayItem[] {
  const calls = pbxs.reduce((sum, one) => sum + one.calls, 0);
  return pbxs.length === 0 ? [] : [textItem(trayText.calls(calls))];
}

const starting: TrayView = {
  icon: { state: 'idle', fullness: 1 },
  title: trayText.starting,
  menu: [
    textItem(trayText.startingItem),
    separator,
    { kind: 'action', label: trayText.quit, action: { kind: 'quit' } },
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
