import { type CredentialOutline, isDead } from '../../contract/credential-view.ts';
import { countdownLastsMs } from './countdown.ts';
import { fullRing } from './tray-icon-name.ts';

/** A paused credential is urgent all the same in the last of this many parts of its life. */
const calmParts = 5;
/** A clock that was set, or sleep, moves no timer: the menu is looked at again this soon at the latest. */
const longestMs = 60_000;

/** What is left of its life. */
export function leftMs(one: CredentialOutline, nowMs: number): number {
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
