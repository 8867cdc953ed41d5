import { type CredentialOutline, isDead, mayRotate } from '../../contract/credential/credential-view.ts';
import { durationLastsMs, pauseSpans } from '../../text/time.ts';
import {
  credentialItemText,
  credentialExpiryText,
  credentialMenuText,
  nextRotationItem,
} from '../../text/window/tray.ts';
import { credentialPlace, rotatePlace } from '../windows/place.ts';
import { fullRing } from './tray-icon-name.ts';
import { cut, placeItem, separator, textItem, type TrayAction, type TrayItem } from './tray-item.ts';

/** The item of a credential, with its actions. `timeText` writes an instant in the local format. */
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

export function labelOf(one: CredentialOutline, nowMs: number): string {
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
export function ringParts(one: CredentialOutline, nowMs: number): number {
  const parts = Math.ceil((leftMs(one, nowMs) * fullRing) / lifetimeMs(one));
  return Math.min(Math.max(parts, 0), fullRing);
}

/**
 * The most urgent first, but paused credentials with enough time left last.
 *
 * Otherwise a token that is paused for the night would hide the countdown of all others.
 */
export function pausedLast(credentials: readonly CredentialOutline[], nowMs: number): CredentialOutline[] {
  const canWait = (one: CredentialOutline): boolean => one.state === 'paused' && waitLeftMs(one, nowMs) > 0;
  return [...credentials.filter((one) => !canWait(one)), ...credentials.filter(canWait)];
}

function waitLeftMs(one: CredentialOutline, nowMs: number): number {
  return leftMs(one, nowMs) - Math.floor(lifetimeMs(one) / lifetimeParts);
}

/** How long until something changes: a countdown, a part of the ring, the end of a pause, or a paused one becomes urgent. */
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
  return leftMs(one, nowMs) - Math.floor(((parts - 1) * lifetimeMs(one)) / fullRing);
}

/** When its pause ends, and when it moves up because too little time is left. */
function pauseChangesMs(one: CredentialOutline, nowMs: number): number[] {
  const until = one.paused?.until ?? null;
  const endsMs = until === null ? 0 : Date.parse(until) - nowMs;
  const waitMs = one.state === 'paused' ? waitLeftMs(one, nowMs) : 0;
  return [endsMs, waitMs].filter((ms) => ms > 0);
}
