import {
  type CredentialView,
  isDead,
  isTokenRefused,
  type VaultStatus,
} from '../contract/credential-view.ts';
import { suggestedCommand } from '../text/attention.ts';
import { credentialLabel, policyText, vaultTitle } from '../text/credentials.ts';
import { formatTable } from './format-table.ts';
import { localTime, timeLeft } from '../text/time.ts';
import { targetTable } from './target-lines.ts';

/** How many of the coming rotations are shown; `--json` has all of the next 90 days. */
const shownRotations = 5;

/** Credentials as a table, a line each. */
export function credentialTable(credentials: readonly CredentialView[], nowMs: number): string[] {
  return formatTable(
    credentials.map((credential) => [
      credential.name,
      credentialLabel(credential.state, credential.trouble?.kind ?? null),
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
      ['State', credentialLabel(credential.state, credential.trouble?.kind ?? null)],
      ...optional('', message),
      ...optional('To do', suggestedCommand(credential)),
      ['Token', `number ${credential.generation}, since ${localTime(credential.obtained_at)}`],
      [
        isDead(credential) ? 'Would expire' : 'Expires',
        `${localTime(credential.expires_at)} (${timeLeft(credential.expires_at, nowMs)} left)`,
      ],
      ...optional('Validity', credential.validity_days === null ? null : `${credential.validity_days} days`),
      ['Policy', policyText(credential.policy)],
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
        credential.warning === null ? null : `less than ${credential.warning} % of its lifetime is left`,
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
  return paused === null ? 'none: it needs a new token' : 'none while it is paused';
}

/** How long a token lives, as the end of a sentence: `expires 2026-…; next rotation: 2026-… (in 4 d 16 h).` */
export function lifeWords(credential: CredentialView, nowMs: number): string {
  return `expires ${localTime(credential.expires_at)}; next rotation: ${nextRotation(credential, nowMs)}.`;
}

/** What to know about a vault that does not work, for stderr; null while it works. */
export function vaultTrouble({ kind, status, description, message }: VaultStatus): string | null {
  if (status === 'ok') return null;
  return `${vaultTitle({ kind, status })} (${description}).${message === null ? '' : ` ${message}`}`;
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
