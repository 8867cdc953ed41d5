import type { RotationPolicy } from '../contract/credential.ts';
import {
  type CredentialView,
  isDead,
  isTokenRefused,
  type VaultStatus,
} from '../contract/credential-view.ts';
import { formatTable } from './format-table.ts';
import { localTime, timeLeft } from './moments.ts';
import { targetTable } from './target-lines.ts';

/** How many of the coming rotations are shown; `--json` has all of the next 90 days. */
const shownRotations = 5;

/** Credentials as a table, a line each. */
export function credentialTable(credentials: readonly CredentialView[], nowMs: number): string[] {
  return formatTable(
    credentials.map((credential) => [
      credential.name,
      stateWords(credential),
      timeLeft(credential.expires_at, nowMs),
      credential.next_rotation_at === null ? '-' : localTime(credential.next_rotation_at),
      lastResult(credential),
    ]),
    ['name', 'state', 'left', 'next rotation', 'last result'],
  );
}

/** Everything about one credential but its value, a line each. */
export function credentialLines(credential: CredentialView, nowMs: number): string[] {
  const { message, trouble, still_used: stillUsed, targets } = credential;
  const later = credential.planned.filter((at) => at !== credential.next_rotation_at);
  const optional = (label: string, value: string | null): string[][] =>
    value === null ? [] : [[label, value]];
  const moment = (instant: string | null): string | null => (instant === null ? null : localTime(instant));
  return [
    ...formatTable([
      ['Credential', credential.name],
      ['Id', credential.id],
      [
        'Service',
        credential.service === 'embedded' ? `this one (${credential.base_url})` : credential.base_url,
      ],
      ['State', stateWords(credential)],
      ...optional('', message),
      ['Value', `number ${credential.generation}, since ${localTime(credential.obtained_at)}`],
      [
        isDead(credential) ? 'Would expire' : 'Expires',
        `${localTime(credential.expires_at)} (${timeLeft(credential.expires_at, nowMs)} left)`,
      ],
      ...optional('Validity', credential.validity_days === null ? null : `${credential.validity_days} days`),
      ['Policy', policyWords(credential.policy)],
      ...optional('Paused', pauseWords(credential)),
      ['Next rotation', nextRotation(credential, nowMs)],
      ...optional('Then', later.length === 0 ? null : laterWords(later)),
      ['Last rotated', moment(credential.last_rotated_at) ?? 'not yet'],
      ...optional(
        'Trouble',
        trouble === null
          ? null
          : `since ${localTime(trouble.since)}${trouble.attempts === 0 ? '' : `, ${trouble.attempts} failed attempts`}: ${trouble.message}`,
      ),
      ...optional(
        'Warning',
        credential.warning === null ? null : `less than ${credential.warning} % of its life is left`,
      ),
      ...optional(
        'Still used',
        stillUsed === null
          ? null
          : `${stillUsed.token_id} at ${localTime(stillUsed.at)} from ${stillUsed.address}` +
              (stillUsed.user_agent === null ? '' : ` (${stillUsed.user_agent})`),
      ),
      ...optional('Family', credential.family_id),
    ]),
    ...(targets.length === 0 ? [] : ['', ...targetTable(targets)]),
  ];
}

/** When the next rotation is, as the end of a sentence or a cell: exactly, and how far away. */
export function nextRotation(
  { next_rotation_at: next, paused, trouble, can_rotate: canRotate }: CredentialView,
  nowMs: number,
): string {
  if (next !== null) return `${localTime(next)} (in ${timeLeft(next, nowMs)})`;
  if (trouble?.kind === 'suspended') return 'none until the token is resumed';
  if (canRotate === false) return 'none: its service has no rotate endpoint';
  return paused === null ? 'none: it waits for you' : 'none while it is paused';
}

/** What a value's life is, as the end of a sentence: `expires 2026-…; next rotation: 2026-… (in 4d 16h).` */
export function lifeWords(credential: CredentialView, nowMs: number): string {
  return `expires ${localTime(credential.expires_at)}; next rotation: ${nextRotation(credential, nowMs)}.`;
}

/** A policy in words: `after 67 % of its life, between 02:00 and 05:00`. */
export function policyWords({ fraction, preferred_hours: hours }: RotationPolicy): string {
  const when = hours === null ? 'at any hour' : `between ${hours.from} and ${hours.to}`;
  return `after ${Math.round(fraction * 100)} % of its life, ${when}`;
}

/** What to know about a vault that does not work, for stderr; null while it works. */
export function vaultTrouble({ status, description, message }: VaultStatus): string | null {
  if (status === 'ok') return null;
  const wordsOf = { locked: 'locked', absent: 'not there', failed: 'not working' } as const;
  return `Values are kept in ${description}, which is ${wordsOf[status]}.${message === null ? '' : ` ${message}`}`;
}

function stateWords({ state, trouble }: CredentialView): string {
  if (state === 'refused' && trouble !== null && trouble.kind !== 'refused') return trouble.kind;
  return state.replaceAll('_', ' ');
}

function pauseWords({ paused }: CredentialView): string | null {
  if (paused === null) return null;
  return paused.until === null ? 'until it is resumed' : `until ${localTime(paused.until)}`;
}

function laterWords(later: readonly string[]): string {
  const shown = later.slice(0, shownRotations).map(localTime).join(', ');
  return later.length > shownRotations
    ? `${shown} and ${later.length - shownRotations} more in 90 days`
    : shown;
}

function lastResult({ trouble, targets, last_rotated_at: rotatedAt }: CredentialView): string {
  if (trouble !== null) return isTokenRefused(trouble.kind) ? trouble.message : `failed: ${trouble.message}`;
  const rotated = rotatedAt === null ? 'not rotated yet' : `rotated ${localTime(rotatedAt)}`;
  const missing = targets.filter(({ status }) => status !== 'delivered').length;
  return missing === 0 ? rotated : `${rotated}, not delivered to ${missing} of ${targets.length}`;
}
