import type { LifelineGeneration } from '../../contract/lifeline.ts';
import { endOfCurrent, type PlannedCredential } from '../credential/credential.ts';
import type { TokenTable } from '../token/token-table.ts';
import { statusAt, type Token } from '../token/token.ts';
import { unreachable } from '../unreachable.ts';

/** As many as a row has room for. */
const maxSpans = 200;

/** The spans of a family's tokens that overlap what comes after `fromMs`, oldest first; the last is the newest's. */
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

/** When a token ended, or will. */
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
 * The spans of a credential's values that overlap what comes after `fromMs`, oldest first; the last is the present one.
 *
 * A value that a person brought may have been issued while the one before still served: it is drawn from its arrival.
 */
export function credentialSpans(
  { generation, lifetime, trouble, pastTokens }: PlannedCredential,
  { fromMs, nowMs }: { readonly fromMs: number; readonly nowMs: number },
): TokenSpans {
  const spans: LifelineGeneration[] = [];
  let servedUntilMs = -Infinity;
  for (const { obtainedAtMs, endedAtMs, end } of pastTokens) {
    if (endedAtMs > fromMs)
      spans.push([secondsOf(Math.max(obtainedAtMs, servedUntilMs)), secondsOf(endedAtMs), end]);
    servedUntilMs = endedAtMs;
  }
  const ended = endOfCurrent({ lifetime, trouble }, nowMs);
  const untilMs = ended?.endedAtMs ?? lifetime.expiresAtMs;
  spans.push([
    secondsOf(Math.max(lifetime.obtainedAtMs, servedUntilMs)),
    secondsOf(untilMs),
    ended?.end ?? 'present',
  ]);
  return { firstGeneration: generation - spans.length + 1, spans };
}

/** Milliseconds as the whole seconds of the wire. */
export function secondsOf(ms: number): number {
  return Math.floor(ms / 1000);
}
