import {
  type CredentialOutline,
  type CredentialState,
  credentialStates,
  isDead,
  mayRotate,
} from '../../contract/credential/credential-view.ts';
import { defaultPort } from '../../contract/address.ts';
import type { ShellSnapshot } from '../../host/host-port.ts';
import type { ShownUpdate } from '../../contract/service/update.ts';
import type { HostProblem } from '../../contract/service/team-host.ts';
import { pbxUnreachableTitle } from '../../text/calls/pbx-text.ts';
import { byHandText } from '../../text/menu/schedule-text.ts';
import {
  generalProblems,
  placeLabels,
  teamTrayText,
  trayText,
  credentialItemText,
  credentialExpiryText,
  credentialMenuText,
  nextRotationItem,
} from '../../text/window/tray.ts';
import {
  credentials as credentialsPage,
  designer,
  issueDialog,
  openingHours,
  overview,
  settings,
  tokens,
  credentialPlace,
  rotatePlace,
} from '../windows/place.ts';
import { fullRing, type TrayIcon, type TrayState } from './tray-icon-name.ts';
import {
  cut,
  forTeam,
  placeItem,
  separator,
  textItem,
  type TrayItem,
  updateItem,
  type TrayAction,
} from './tray-item.ts';
import { durationLastsMs, pauseSpans } from '../../text/time.ts';

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
  readonly update: ShownUpdate;
  /** The host for a team that the app shows too. */
  readonly team?: TrayTeam | null;
  /** Writes an instant (ISO) in the local format and time zone. */
  readonly timeText: (instant: string) => string;
}

/** A host for a team, as far as it is known here. */
export interface TrayTeam {
  readonly name: string;
  /** The last state that it sent; null before the first. */
  readonly snapshot: ShellSnapshot | null;
  /** When it last answered (ISO). */
  readonly answeredAt: string;
  /** Why it cannot be used now. */
  readonly problem: HostProblem | null;
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
  const { snapshot, team = null } = status;
  if (snapshot === null) return starting;
  const own = pausedLast(snapshot.credentials, nowMs);
  const ofTeam = pausedLast(team?.snapshot?.credentials ?? [], nowMs);
  const [mostUrgent] = [...own.slice(0, 1), ...ofTeam.slice(0, 1)].sort(byUrgency);
  const isFailing = [snapshot, team?.snapshot].some(
    (one) => one?.store.status === 'refusing' || (one?.movedFrom ?? null) !== null,
  );
  return {
    icon: iconOf(mostUrgent, isFailing || (team?.problem ?? null) !== null, nowMs),
    title: mostUrgent === undefined ? trayText.title : labelOf(mostUrgent, nowMs),
    menu: [
      ...(team === null
        ? []
        : [...teamItems(team, ofTeam, status, nowMs), separator, textItem(teamTrayText.here)]),
      ...stateItems(snapshot, own, status, nowMs),
      separator,
      ...pageItems,
      separator,
      ...portItem(snapshot),
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
    lastsMs: [
      lastsMs(own, own.slice(0, maxShown), nowMs),
      lastsMs(ofTeam, ofTeam.slice(0, maxShown), nowMs),
      hoursLastMs(snapshot, nowMs),
      hoursLastMs(team?.snapshot, nowMs),
    ].reduce(shortest, null),
  };
}

/** Where apps reach the service, if that is not the usual port: another account may have that one. */
function portItem({ settings: { port } }: ShellSnapshot): TrayItem[] {
  return port === null || port === defaultPort ? [] : [placeItem(trayText.port(port), settings)];
}

const pageItems: readonly TrayItem[] = [
  placeItem(placeLabels.issueToken, issueDialog),
  placeItem(placeLabels.designer, designer),
  placeItem(placeLabels.overview, overview),
  placeItem(placeLabels.tokens, tokens),
  placeItem(placeLabels.settings, settings),
];

/** The state of one host: what fails, calls, and its credentials in the given order. */
function stateItems(
  snapshot: ShellSnapshot,
  credentials: readonly CredentialOutline[],
  { timeText }: Pick<TrayStatus, 'timeText'>,
  nowMs: number,
): TrayItem[] {
  const problems = [
    ...generalProblems(snapshot.store, snapshot.vault, snapshot.movedFrom),
    ...snapshot.pbxs
      .filter(({ state }) => state.status === 'unreachable')
      .map(({ name }) => pbxUnreachableTitle(name)),
  ];
  const hidden = credentials.length - maxShown;
  return [
    ...problems.map((problem) => placeItem(cut(problem), overview)),
    ...callsItem(snapshot),
    ...hoursItems(snapshot, nowMs),
    ...(credentials.length === 0 ? [textItem(trayText.none)] : []),
    ...credentials.slice(0, maxShown).map((one) => credentialItem(one, timeText, nowMs)),
    ...(hidden > 0 ? [placeItem(trayText.more(hidden), credentialsPage)] : []),
  ];
}

/** The team host: its name, what is wrong with it, its last known state, and its pages. */
function teamItems(
  team: TrayTeam,
  credentials: readonly CredentialOutline[],
  status: TrayStatus,
  nowMs: number,
): TrayItem[] {
  const { name, snapshot, problem } = team;
  return [
    textItem(name),
    ...problemItems(team, status),
    ...(problem === null && snapshot === null ? [textItem(teamTrayText.connecting)] : []),
    ...(snapshot === null ? [] : forTeam(stateItems(snapshot, credentials, status, nowMs))),
    { kind: 'submenu', label: teamTrayText.pages(name), items: forTeam(pageItems) },
  ];
}

/** What is wrong with the team host, and where a person can do something about it. */
function problemItems(
  { problem, snapshot, answeredAt }: TrayTeam,
  { timeText }: Pick<TrayStatus, 'timeText'>,
): TrayItem[] {
  if (problem === null) return [];
  const label = cut(teamTrayText.problem(problem, snapshot === null ? null : timeText(answeredAt)));
  if (problem.kind === 'no_key' || problem.kind === 'key_refused') {
    return [{ kind: 'action', label, action: { kind: 'team-key' } }];
  }
  return forTeam([placeItem(label, overview)]);
}

/** The order of the list of credentials, for those of two hosts. */
function byUrgency(a: CredentialOutline, b: CredentialOutline): number {
  return (
    credentialStates.indexOf(a.state) - credentialStates.indexOf(b.state) ||
    Date.parse(a.expires_at) - Date.parse(b.expires_at)
  );
}

function shortest(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.min(a, b);
}

/** Opening hours that are open or closed by hand, and the way back to their schedule. */
function hoursItems({ hours }: ShellSnapshot, nowMs: number): TrayItem[] {
  return hours
    .filter(({ until }) => until === null || Date.parse(until) > nowMs)
    .map(({ id, name, time_zone: timeZone, to, until }): TrayItem => ({
      kind: 'submenu',
      label: cut(`${name}: ${byHandText(to, until, { timeZone, nowMs })}`),
      items: [
        { kind: 'action', label: trayText.bySchedule, action: { kind: 'by-schedule', name, id } },
        placeItem(trayText.openingHours, openingHours),
      ],
    }));
}

/** Until the next of them is over, in milliseconds. */
function hoursLastMs(snapshot: ShellSnapshot | null | undefined, nowMs: number): number | null {
  const ends = (snapshot?.hours ?? []).flatMap(({ until }) =>
    until === null ? [] : [Date.parse(until) - nowMs],
  );
  const coming = ends.filter((left) => left > 0);
  return coming.length === 0 ? null : Math.min(...coming);
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

function iconOf(mostUrgent: CredentialOutline | undefined, isFailing: boolean, nowMs: number): TrayIcon {
  if (mostUrgent === undefined) return { state: isFailing ? 'failing' : 'idle', fullness: 1 };
  return {
    state: isFailing ? 'failing' : stateOfIcon[mostUrgent.state],
    fullness: ringParts(mostUrgent, nowMs) / fullRing,
  };
}

/** The item of a credential, with its actions. `timeText` writes an instant in the local format. */
function credentialItem(
  one: CredentialOutline,
  timeText: (instant: string) => string,
  nowMs: number,
): TrayItem {
  const { name, paused } = one;
  const pausedUntil = paused?.until ?? null;
  const showPage: TrayAction = { kind: 'show', place: credentialPlace(name) };
  return {
    kind: 'submenu',
    label: labelOf(one, nowMs),
    items: [
      textItem(credentialExpiryText(one, timeText, nowMs)),
      textItem(nextRotationItem(one, timeText)),
      ...(one.message === null
        ? []
        : [{ kind: 'action' as const, label: cut(one.message), action: showPage }]),
      placeItem(credentialMenuText.open, credentialPlace(name)),
      separator,
      ...(mayRotate(one) ? [rotateItem(one)] : []),
      ...(isDead(one)
        ? []
        : [
            {
              kind: 'action' as const,
              label: credentialMenuText.copy,
              action: { kind: 'copy' as const, name },
            },
          ]),
      ...(mayRotate(one) ? [pauseItems(one)] : []),
      ...(pausedUntil === null ? [] : [textItem(credentialMenuText.pausedUntil(timeText(pausedUntil)))]),
    ],
  };
}

function rotateItem({ name, state }: CredentialOutline): TrayItem {
  return state === 'rotating'
    ? textItem(credentialMenuText.rotating)
    : placeItem(credentialMenuText.rotate, rotatePlace(name));
}

function pauseItems({ name, paused }: CredentialOutline): TrayItem {
  if (paused !== null)
    return { kind: 'action', label: credentialMenuText.resume, action: { kind: 'resume', name } };
  return {
    kind: 'submenu',
    label: credentialMenuText.pause,
    items: pauseSpans.map((span) => ({
      kind: 'action',
      label: credentialMenuText.pauseSpans[span],
      action: { kind: 'pause', name, span },
    })),
  };
}

function labelOf(one: CredentialOutline, nowMs: number): string {
  return credentialItemText(one, leftMs(one, nowMs));
}

/** A paused credential counts as urgent in the last of this many parts of its lifetime. */
const lifetimeParts = 5;
/** Timers do not follow a clock that was set or a sleep, so the menu is updated at least this often. */
const longestMs = 60_000;

/** What is left of its lifetime; 0 if it cannot be used any more. */
function leftMs(one: CredentialOutline, nowMs: number): number {
  return isDead(one) ? 0 : Date.parse(one.expires_at) - nowMs;
}

function lifetimeMs(one: CredentialOutline): number {
  return Math.max(Date.parse(one.expires_at) - Date.parse(one.obtained_at), 1);
}

/** In whole parts of the ring, so that two views that look the same are the same. */
function ringParts(one: CredentialOutline, nowMs: number): number {
  const parts = Math.ceil((leftMs(one, nowMs) * fullRing) / lifetimeMs(one));
  return Math.min(Math.max(parts, 0), fullRing);
}

/**
 * The most urgent first, but paused credentials with enough time left last.
 *
 * Otherwise a token that is paused for the night would hide the countdown of all others.
 */
function pausedLast(credentials: readonly CredentialOutline[], nowMs: number): CredentialOutline[] {
  const canWait = (one: CredentialOutline): boolean => one.state === 'paused' && waitLeftMs(one, nowMs) > 0;
  return [...credentials.filter((one) => !canWait(one)), ...credentials.filter(canWait)];
}

function waitLeftMs(one: CredentialOutline, nowMs: number): number {
  return leftMs(one, nowMs) - Math.floor(lifetimeMs(one) / lifetimeParts);
}

/** How long until something changes: a countdown, a part of the ring, the end of a pause, or a paused one becomes urgent. */
function lastsMs(
  credentials: readonly CredentialOutline[],
  shown: readonly CredentialOutline[],
  nowMs: number,
): number | null {
  const [mostUrgent] = shown;
  if (mostUrgent === undefined) return null;
  return Math.min(
    longestMs,
    ringLastsMs(mostUrgent, nowMs),
    ...shown.map(({ expires_at }) => durationLastsMs(Date.parse(expires_at) - nowMs)),
    ...credentials.flatMap((one) => pauseChangesMs(one, nowMs)),
  );
}

function ringLastsMs(one: CredentialOutline, nowMs: number): number {
  const parts = ringParts(one, nowMs);
  if (parts === 0) return Infinity;
  return leftMs(one, nowMs) - Math.floor(((parts - 1) * lifetimeMs(one)) / fullRing);
}

/** When its pause ends, and when it moves up because too little time is left. */
function pauseChangesMs(one: CredentialOutline, nowMs: number): number[] {
  const until = one.paused?.until ?? null;
  const endsMs = until === null ? 0 : Date.parse(until) - nowMs;
  const waitMs = one.state === 'paused' ? waitLeftMs(one, nowMs) : 0;
  return [endsMs, waitMs].filter((ms) => ms > 0);
}
