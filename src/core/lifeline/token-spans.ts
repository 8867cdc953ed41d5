import type { LifelineGeneration } from '../../contract/window/lifeline.ts';
import { endOfCurrent, type PlannedCredential } from '../credential/credential-state.ts';
import type { TokenTable } from '../token/token-table.ts';
import { statusAt, type Token } from '../token/token-record.ts';
import { unreachable } from '../unreachable.ts';

/** The most tokens in one row. */
const maxSpans = 200;

/**
 * The spans of a family's tokens that overlap the time after `fromMs`, oldest first; the last is the newest token's.
 */
export function familySpans(
  tokens: TokenTable,
  newest: Token,
  { fromMs, nowMs }: { readonly fromMs: number; readonly nowMs: number },
): TokenSpans {
  const spans = [spanOf(newest, nowMs)];
  let generation = newest.generation;
  while (generation > 1 && spans.length < maxSpans) {
    const token = tokens.ofFamily(newest.familyId, generation - 1);
    if (token === undefined || endOf(token, nowMs) <= fromMs) break;
    spans.push(spanOf(token, nowMs));
    generation -= 1;
  }
  return { firstGeneration: generation, spans: spans.reverse() };
}

/** When a token stopped working, or will expire. */
export function endOf(token: Token, nowMs: number): number {
  const isOpen = isLive(statusAt(token, nowMs));
  return isOpen ? token.expiresAtMs : (token.endedAtMs ?? token.expiresAtMs);
}

function spanOf(token: Token, nowMs: number): LifelineGeneration {
  return [secondsOf(token.createdAtMs), secondsOf(endOf(token, nowMs)), endingOf(token, nowMs)];
}

function endingOf(token: Token, nowMs: number): LifelineGeneration[2] {
  const status = statusAt(token, nowMs);
  switch (status) {
    case 'Active':
    case 'Suspended':
      return 'present';
    case 'Superseded':
      return 'superseded';
    case 'Expired':
      return 'expired';
    case 'Blacklisted':
      return 'blacklisted';
    default:
      return unreachable(status);
  }
}

function isLive(status: Token['status']): boolean {
  return status === 'Active' || status === 'Suspended';
}

/** The bars of a row, oldest first, and the number of the first. */
export interface TokenSpans {
  readonly firstGeneration: number;
  readonly spans: LifelineGeneration[];
}

/**
 * The spans of a credential's tokens that overlap the time after `fromMs`, oldest first; the last is the current
 * token's.
 *
 * A token that a person entered may have been issued while the previous one was still in use: its span starts when it
 * was entered. A token that went on working beside the next one ends when it was deleted, and the two spans overlap.
 */
export function credentialSpans(
  { generation, lifetime, heldSinceMs, trouble, pastTokens, retiring }: PlannedCredential,
  { fromMs, nowMs }: { readonly fromMs: number; readonly nowMs: number },
): TokenSpans {
  const spans: LifelineGeneration[] = [];
  let servedUntilMs = -Infinity;
  const firstPast = generation - pastTokens.length;
  for (const [place, { obtainedAtMs, endedAtMs, end, overlaps = false }] of pastTokens.entries()) {
    const alive = retiring.find((one) => one.generation === firstPast + place);
    const untilMs = alive === undefined ? endedAtMs : Math.min(alive.retireByMs, alive.lifetime.expiresAtMs);
    if (untilMs > fromMs)
      spans.push([secondsOf(Math.max(obtainedAtMs, servedUntilMs)), secondsOf(untilMs), end]);
    servedUntilMs = overlaps || alive !== undefined ? obtainedAtMs : endedAtMs;
  }
  const ended = endOfCurrent({ lifetime, trouble }, nowMs);
  const untilMs = ended?.endedAtMs ?? lifetime.expiresAtMs;
  spans.push([
    secondsOf(Math.max(heldSinceMs ?? lifetime.obtainedAtMs, servedUntilMs)),
    secondsOf(untilMs),
    ended?.end ?? 'present',
  ]);
  return { firstGeneration: generation - spans.length + 1, spans };
}

/** Milliseconds as whole seconds, as in the API. */
export function secondsOf(ms: number): number {
  return Math.floor(ms / 1000);
}
