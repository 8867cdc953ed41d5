import { type CredentialOutline, isDead, mayRotate } from '../../contract/credential-view.ts';
import { credentialLabel } from '../../text/credentials.ts';
import { durationLastsMs, durationText, type PauseSpan } from '../../text/time.ts';
import { credentialPlace } from '../windows/place.ts';
import { fullRing } from './tray-icon-name.ts';
import { cut, lead, separator, type TrayAction, type TrayItem, words } from './tray-item.ts';

/** The row of a credential, with what can be done for it. `timeText` writes an instant as the person does. */
export function credentialItem(
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
      words(`${expiryWord(one, nowMs)} ${timeText(one.expires_at)}`),
      words(
        one.next_rotation_at === null
          ? one.can_rotate === false
            ? 'Not rotated: its service has no rotate endpoint'
            : 'No rotation is planned'
          : `Next rotation ${timeText(one.next_rotation_at)}`,
      ),
      ...(one.message === null
        ? []
        : [{ kind: 'action' as const, label: cut(one.message), action: showPage }]),
      lead('Open', credentialPlace(name)),
      separator,
      ...(mayRotate(one) ? [rotateItem(one)] : []),
      ...(isDead(one)
        ? []
        : [{ kind: 'action' as const, label: 'Copy token', action: { kind: 'copy' as const, name } }]),
      ...(mayRotate(one) ? [pauseItems(one)] : []),
      ...(pausedUntil === null ? [] : [words(`Paused until ${timeText(pausedUntil)}`)]),
    ],
  };
}

function rotateItem({ name, state }: CredentialOutline): TrayItem {
  return state === 'rotating'
    ? words('Rotating …')
    : { kind: 'action', label: 'Rotate now', action: { kind: 'rotate', name } };
}

function pauseItems({ name, paused }: CredentialOutline): TrayItem {
  if (paused !== null) return { kind: 'action', label: 'Resume rotation', action: { kind: 'resume', name } };
  return {
    kind: 'submenu',
    label: 'Pause rotation',
    items: [
      pauseItem(name, 'For 1 hour', 'hour'),
      pauseItem(name, 'Until tomorrow', 'tomorrow'),
      pauseItem(name, 'Until I resume it', 'resumed'),
    ],
  };
}

/** A service may end a token before the end that we know of. */
function expiryWord(one: CredentialOutline, nowMs: number): string {
  if (Date.parse(one.expires_at) <= nowMs) return 'Expired';
  return isDead(one) ? 'Was to expire' : 'Expires';
}

/** Its name, the time it has left and, unless all is well, its state. */
export function labelOf(one: CredentialOutline, nowMs: number): string {
  const { name, state, trouble } = one;
  const left = leftMs(one, nowMs);
  const time = isDead(one) ? '' : left > 0 ? durationText(left) : credentialLabel('expired', null);
  const label = state === 'fine' ? '' : credentialLabel(state, trouble?.kind ?? null);
  return [name, time, label].filter(Boolean).join(' · ');
}

function pauseItem(name: string, label: string, span: PauseSpan): TrayItem {
  return { kind: 'action', label, action: { kind: 'pause', name, span } };
}

/** A paused credential is urgent all the same in the last of this many parts of its life. */
const calmParts = 5;
/** A clock that was set, or sleep, moves no timer: the menu is looked at again this soon at the latest. */
const longestMs = 60_000;

/** What is left of its life. */
function leftMs(one: CredentialOutline, nowMs: number): number {
  return isDead(one) ? 0 : Date.parse(one.expires_at) - nowMs;
}

function lifeMs(one: CredentialOutline): number {
  return Math.max(Date.parse(one.expires_at) - Date.parse(one.obtained_at), 1);
}

/** In whole parts of the ring, so that two views that look the same are the same. */
export function ringParts(one: CredentialOutline, nowMs: number): number {
  const parts = Math.ceil((leftMs(one, nowMs) * fullRing) / lifeMs(one));
  return Math.min(Math.max(parts, 0), fullRing);
}

/**
 * The most urgent first, but what the person paused and need not think of yet, last.
 *
 * Otherwise one token that rests for the night would hide the countdown of all others.
 */
export function calmPausesLast(
  credentials: readonly CredentialOutline[],
  nowMs: number,
): CredentialOutline[] {
  const isCalm = (one: CredentialOutline): boolean => one.state === 'paused' && calmLeftMs(one, nowMs) > 0;
  return [...credentials.filter((one) => !isCalm(one)), ...credentials.filter(isCalm)];
}

function calmLeftMs(one: CredentialOutline, nowMs: number): number {
  return leftMs(one, nowMs) - Math.floor(lifeMs(one) / calmParts);
}

/** Until time alone changes something: a countdown moves on, the ring loses a part, a pause ends or stops being calm. */
export function lastsMs(
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
  return leftMs(one, nowMs) - Math.floor(((parts - 1) * lifeMs(one)) / fullRing);
}

/** In how long its pause ends by itself, and in how long it moves up because too little is left. */
function pauseChangesMs(one: CredentialOutline, nowMs: number): number[] {
  const until = one.paused?.until ?? null;
  const endsMs = until === null ? 0 : Date.parse(until) - nowMs;
  const calmMs = one.state === 'paused' ? calmLeftMs(one, nowMs) : 0;
  return [endsMs, calmMs].filter((ms) => ms > 0);
}
