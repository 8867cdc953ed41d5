import type { TokenView } from '../contract/token.ts';
import { formatTable } from './format-table.ts';
import { localTime, timeLeft } from './moments.ts';

/** Tokens as a table, a line each. */
export function tokenTable(tokens: readonly TokenView[], nowMs: number): string[] {
  return formatTable(
    tokens.map((token) => [
      token.id,
      token.status,
      isLive(token) ? timeLeft(token.expires_at, nowMs) : '-',
      localTime(token.expires_at),
      daysOf(token),
      token.name,
      token.category,
    ]),
    ['id', 'status', 'left', 'expires', 'validity', 'name', 'category'],
  );
}

/** Everything about one token, a line each. */
export function tokenLines(token: TokenView, nowMs: number): string[] {
  const optional = (label: string, value: string | null): string[][] =>
    value === null ? [] : [[label, value]];
  const moment = (instant: string | null): string | null => (instant === null ? null : localTime(instant));
  return formatTable([
    ['Token', token.id],
    ['Name', token.name],
    ['Category', token.category],
    ['Status', token.status],
    ...optional('Reason', token.reason),
    ['Validity', daysOf(token)],
    ['Created', localTime(token.created_at)],
    [
      'Expires',
      localTime(token.expires_at) + (isLive(token) ? ` (${timeLeft(token.expires_at, nowMs)} left)` : ''),
    ],
    ['First used', moment(token.first_used_at) ?? 'not yet'],
    ...optional('Ended', moment(token.ended_at)),
    ['Scopes', token.scopes.join(', ') || 'unrestricted'],
    ['Addresses', token.ip_restrictions.join(', ') || 'any'],
    ['Family', token.family_id],
    ...optional('Rotated from', token.predecessor_id),
    ...optional('Rotated to', token.successor_id),
  ]);
}

function isLive({ status }: TokenView): boolean {
  return status === 'Active' || status === 'Suspended';
}

function daysOf({ validity_days: days }: TokenView): string {
  return days === 1 ? '1 day' : `${days} days`;
}
