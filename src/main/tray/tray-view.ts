import type { CredentialOutline, CredentialState } from '../../contract/credential-view.ts';
import type { Glance } from '../../host/host-desk.ts';
import type { UpdateAction, UpdateMenuItem } from '../updates/update-menu-item.ts';
import { overview, type Place } from '../windows/place.ts';
import { countdown, countdownLastsMs } from './countdown.ts';
import { fullRing, type TrayIcon, type TrayState } from './tray-icon-name.ts';

/** What a click in the menu asks for. */
export type TrayAction =
  | { readonly kind: 'rotate' | 'copy' | 'resume'; readonly name: string }
  | { readonly kind: 'pause'; readonly name: string; readonly span: PauseSpan }
  | { readonly kind: 'show'; readonly place: Place }
  | { readonly kind: 'open-at-login'; readonly isOn: boolean }
  | { readonly kind: 'update'; readonly step: UpdateAction }
  | { readonly kind: 'quit' };

export type PauseSpan = 'hour' | 'tomorrow' | 'resumed';

export type TrayItem =
  | { readonly kind: 'separator' }
  /** Something to read. */
  | { readonly kind: 'words'; readonly label: string }
  | { readonly kind: 'action'; readonly label: string; readonly action: TrayAction }
  | { readonly kind: 'switch'; readonly label: string; readonly isOn: boolean; readonly action: TrayAction }
  | { readonly kind: 'submenu'; readonly label: string; readonly items: readonly TrayItem[] };

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
  readonly glance: Glance | null;
  /** Null where this system cannot do it. */
  readonly opensAtLogin: boolean | null;
  readonly update: UpdateMenuItem;
  /** An instant (ISO) in the person's own way of writing and time zone. */
  readonly timeText: (instant: string) => string;
}

/** More than this many rows are no menu any more. */
const maxShown = 10;
/** The longest sentence a menu carries; the window has the whole one. */
const maxWords = 90;
/** A paused credential is urgent all the same in the last of this many parts of its life. */
const calmParts = 5;
/** A clock that was set, or sleep, moves no timer: the menu is looked at again this soon at the latest. */
const longestMs = 60_000;

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
  fine: 'fine',
};

/** What the tray shows at `nowMs`. */
export function trayView(status: TrayStatus, nowMs: number): TrayView {
  const { glance } = status;
  if (glance === null) return starting;
  const { store } = glance;
  const credentials = calmPausesLast(glance.credentials, nowMs);
  const [mostUrgent] = credentials;
  const shown = credentials.slice(0, maxShown);
  const hidden = credentials.length - shown.length;
  const home: TrayAction = { kind: 'show', place: overview };
  return {
    icon: iconOf(mostUrgent, store.status === 'refusing', nowMs),
    title: mostUrgent === undefined ? 'Rotavox' : labelOf(mostUrgent, nowMs),
    menu: [
      ...troublesOf(glance).map((label) => ({ kind: 'action' as const, label, action: home })),
      ...(shown.length === 0 ? [words('No token is kept fresh yet')] : []),
      ...shown.map((one) => credentialItem(one, status, nowMs)),
      ...(hidden > 0 ? [{ kind: 'action' as const, label: `… and ${hidden} more`, action: home }] : []),
      separator,
      show('Issue a token…', { window: 'overview', path: '/tokens/issue' }),
      show('IVR designer', { window: 'designer', ivrId: null }),
      show('Tokens', overview),
      show('Settings', { window: 'overview', path: '/settings' }),
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
      status.update.action === null
        ? words(status.update.label)
        : {
            kind: 'action',
            label: status.update.label,
            action: { kind: 'update', step: status.update.action },
          },
      separator,
      { kind: 'action', label: 'Quit Rotavox', action: { kind: 'quit' } },
    ],
    lastsMs: lastsMs(credentials, shown, nowMs),
  };
}

const separator: TrayItem = { kind: 'separator' };

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

/** In whole parts of the ring, so that two views that look the same are the same. */
function ringParts(one: CredentialOutline, nowMs: number): number {
  const parts = Math.ceil((leftMs(one, nowMs) * fullRing) / lifeMs(one));
  return Math.min(Math.max(parts, 0), fullRing);
}

/**
 * The most urgent first, but what the person paused and need not think of yet, last.
 *
 * Otherwise one token that rests for the night would hide the countdown of all others.
 */
function calmPausesLast(credentials: readonly CredentialOutline[], nowMs: number): CredentialOutline[] {
  const isCalm = (one: CredentialOutline): boolean => one.state === 'paused' && calmLeftMs(one, nowMs) > 0;
  return [...credentials.filter((one) => !isCalm(one)), ...credentials.filter(isCalm)];
}

function calmLeftMs(one: CredentialOutline, nowMs: number): number {
  return leftMs(one, nowMs) - Math.floor(lifeMs(one) / calmParts);
}

/** What concerns everything, before the credentials. */
function troublesOf({ store, vault }: Glance): string[] {
  return [
    ...(store.status === 'refusing' ? [cut(`No change can be saved: ${store.reason}`)] : []),
    ...(vault.status === 'ok' ? [] : [cut(vault.message ?? `The ${vault.kind} does not work`)]),
  ];
}

function credentialItem(one: CredentialOutline, status: TrayStatus, nowMs: number): TrayItem {
  const { name, state, paused } = one;
  const pausedUntil = paused?.until ?? null;
  return {
    kind: 'submenu',
    label: labelOf(one, nowMs),
    items: [
      words(`${expiryWord(one, nowMs)} ${status.timeText(one.expires_at)}`),
      words(
        one.next_rotation_at === null
          ? 'No rotation is planned'
          : `Next rotation ${status.timeText(one.next_rotation_at)}`,
      ),
      ...(one.message === null
        ? []
        : [{ kind: 'action' as const, label: cut(one.message), action: showOverview }]),
      separator,
      state === 'rotating'
        ? words('Rotating …')
        : { kind: 'action', label: 'Rotate now', action: { kind: 'rotate', name } },
      { kind: 'action', label: 'Copy token', action: { kind: 'copy', name } },
      paused === null
        ? {
            kind: 'submenu',
            label: 'Pause rotation',
            items: [
              pauseItem(name, 'For 1 hour', 'hour'),
              pauseItem(name, 'Until tomorrow', 'tomorrow'),
              pauseItem(name, 'Until I resume it', 'resumed'),
            ],
          }
        : { kind: 'action', label: 'Resume rotation', action: { kind: 'resume', name } },
      ...(pausedUntil === null ? [] : [words(`Paused until ${status.timeText(pausedUntil)}`)]),
    ],
  };
}

const showOverview: TrayAction = { kind: 'show', place: overview };

/** A service may say that a token has expired before the end that we know of. */
function expiryWord({ state, expires_at }: CredentialOutline, nowMs: number): string {
  if (Date.parse(expires_at) <= nowMs) return 'Expired';
  return state === 'expired' ? 'Was to expire' : 'Expires';
}

function labelOf(one: CredentialOutline, nowMs: number): string {
  const left = leftMs(one, nowMs);
  const state = stateWords[one.state];
  const time = left > 0 ? countdown(left) : one.state === 'expired' ? '' : 'expired';
  return [one.name, [time, state].filter(Boolean).join(', ')].join(' · ');
}

const stateWords: Record<CredentialState, string> = {
  reply_lost: 'needs a new value',
  value_missing: 'needs a new value',
  expired: 'expired',
  refused: 'refused',
  vault_unavailable: 'keychain not available',
  failing: 'rotation fails',
  rotating: 'rotating …',
  due: 'due',
  delivery_failing: 'delivery fails',
  paused: 'paused',
  fine: '',
};

/** Until time alone changes something: a countdown moves on, the ring loses a part, a pause ends or stops being calm. */
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
    ...shown.map(({ expires_at }) => countdownLastsMs(Date.parse(expires_at) - nowMs)),
    ...credentials.flatMap((one) => pauseChangesMs(one, nowMs)),
  );
}

function ringLastsMs(one: CredentialOutline, nowMs: number): number {
  const parts = ringParts(one, nowMs);
  if (parts === 0) return Infinity;
  return leftMs(one, nowMs) - Math.floor(((parts - 1) * lifeMs(one)) / fullRing);
}

/** In how long its pause ends by itself, and in how long it moves up because too little is left. */
function pauseChangesMs(one: CredentialOutline, nowMs: number): number[] {
  const until = one.paused?.until ?? null;
  const endsMs = until === null ? 0 : Date.parse(until) - nowMs;
  const calmMs = one.state === 'paused' ? calmLeftMs(one, nowMs) : 0;
  return [endsMs, calmMs].filter((ms) => ms > 0);
}

/** What is left of its life; nothing once the service says that it has expired, whatever we were told before. */
function leftMs(one: CredentialOutline, nowMs: number): number {
  return one.state === 'expired' ? 0 : Date.parse(one.expires_at) - nowMs;
}

function lifeMs(one: CredentialOutline): number {
  return Math.max(Date.parse(one.expires_at) - Date.parse(one.obtained_at), 1);
}

function pauseItem(name: string, label: string, span: PauseSpan): TrayItem {
  return { kind: 'action', label, action: { kind: 'pause', name, span } };
}

function show(label: string, place: Place): TrayItem {
  return { kind: 'action', label, action: { kind: 'show', place } };
}

function words(label: string): TrayItem {
  return { kind: 'words', label };
}

/** On one line, for a message may quote what a hook printed, and by whole characters. */
function cut(sentence: string): string {
  const letters = Array.from(sentence.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim());
  if (letters.length <= maxWords) return letters.join('');
  return `${letters
    .slice(0, maxWords - 1)
    .join('')
    .trimEnd()}…`;
}
