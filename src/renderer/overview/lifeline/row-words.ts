import type { LifelineRow, LifelineRowOf } from '../../../contract/lifeline.ts';
import { stateSign } from '../../credentials/state-words.ts';
import { credentialPath, familyPath } from '../../kit/address.ts';
import { spanWords } from '../../kit/countdown.tsx';
import { unreachable } from '../../../core/unreachable.ts';
import { nearWords } from '../near-words.ts';

/** Where the details of a row are. */
export function pathOf(row: LifelineRow): string {
  return row.kind === 'credential' ? credentialPath(row.name) : familyPath(row.id);
}

/** How it stands, in a few words below its name. */
export function standingWords(row: LifelineRow, nowMs: number): string {
  return row.kind === 'credential' ? credentialStanding(row, nowMs) : familyStanding(row, nowMs);
}

function credentialStanding(row: LifelineRowOf<'credential'>, nowMs: number): string {
  switch (row.state) {
    case 'reply_lost':
    case 'value_missing':
      return 'Needs a new value';
    case 'expired':
      return `Expired ${nearWords(row.expires_at, nowMs)}`;
    case 'refused':
      return stateSign({ state: 'refused', trouble: row.trouble === null ? null : { kind: row.trouble } })
        .words;
    case 'vault_unavailable':
      return 'Waits for the vault';
    case 'reminder':
      return `Not rotated, ends ${nearWords(row.expires_at, nowMs)}`;
    case 'failing':
      return `Fails, ends in ${left(row, nowMs)}`;
    case 'rotating':
      return 'Rotating now';
    case 'due':
      return 'Due now';
    case 'delivery_failing':
      return 'Not delivered everywhere';
    case 'paused': {
      const until = row.paused?.until ?? null;
      return until === null ? 'Paused' : `Paused until ${nearWords(until, nowMs)}`;
    }
    case 'fine':
      return row.next_rotation_at === null ? 'Fresh' : `Next ${nearWords(row.next_rotation_at, nowMs)}`;
    default:
      return unreachable(row.state);
  }
}

function familyStanding(row: LifelineRowOf<'family'>, nowMs: number): string {
  const endMs = (row.generations.at(-1)?.[1] ?? 0) * 1000;
  switch (row.status) {
    case 'Active':
      return row.needs_attention && endMs > nowMs
        ? `Ends in ${left(row, nowMs)}`
        : `Ends ${nearWords(endMs, nowMs)}`;
    case 'Suspended':
      return `Suspended, ends ${nearWords(endMs, nowMs)}`;
    case 'Superseded':
    case 'Expired':
    case 'Blacklisted':
      return `${row.status} ${nearWords(endMs, nowMs)}`;
    default:
      return unreachable(row.status);
  }
}

/** The whole row in sentences, for who does not see it. It begins with the name that is written there. */
export function rowSentence(row: LifelineRow, nowMs: number): string {
  const number = row.first_generation + row.generations.length - 1;
  const [from, until, end] = row.generations.at(-1) ?? [0, 0, 'present'];
  const life =
    end === 'present'
      ? `since ${nearWords(from * 1000, nowMs)}, expires ${nearWords(until * 1000, nowMs)}`
      : `from ${nearWords(from * 1000, nowMs)}, ${end} ${nearWords(until * 1000, nowMs)}`;
  const past = countWords(row);
  if (row.kind === 'family')
    return `${row.name}. ${standingWords(row, nowMs)}. Token family that no credential keeps fresh. Token ${number} ${life}.${past}`;
  const where = row.service === 'embedded' ? 'this service' : row.origin;
  return `${row.name}. ${standingWords(row, nowMs)}. Credential of ${where}. Value ${number} ${life}.${past} ${planWords(row)}`;
}

/** How many rotations are planned. */
function planWords({ planned }: LifelineRowOf<'credential'>): string {
  if (planned.length === 0) return 'No rotation is planned.';
  return planned.length === 1
    ? '1 rotation is planned in the next 90 days.'
    : `${planned.length} rotations are planned in the next 90 days.`;
}

function countWords({ generations }: LifelineRow): string {
  const counts = new Map<string, number>();
  for (const [, , end] of generations.slice(0, -1)) counts.set(end, (counts.get(end) ?? 0) + 1);
  if (counts.size === 0) return '';
  return ` Before it in the last 90 days: ${[...counts].map(([end, count]) => `${count} ${end}`).join(', ')}.`;
}

function left({ expires_at: expiresAt }: LifelineRow, nowMs: number): string {
  return spanWords(Math.max(new Date(expiresAt).getTime() - nowMs, 0));
}
