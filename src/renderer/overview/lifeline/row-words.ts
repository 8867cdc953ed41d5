import type { LifelineRow, LifelineRowOf } from '../../../contract/lifeline.ts';
import { credentialLabel } from '../../../text/credentials.ts';
import { credentialPath, familyPath } from '../../kit/address.ts';
import { unreachable } from '../../../core/unreachable.ts';
import { nearText, timeLeft } from '../../../text/time.ts';

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
      return credentialLabel(row.state, row.trouble);
    case 'expired':
      return `Expired ${nearText(row.expires_at, nowMs)}`;
    case 'refused':
      return credentialLabel(row.state, row.trouble);
    case 'vault_unavailable':
      return credentialLabel(row.state, row.trouble);
    case 'reminder':
      return `Not rotated, expires ${nearText(row.expires_at, nowMs)}`;
    case 'failing':
      return `${credentialLabel(row.state, row.trouble)}, expires in ${timeLeft(row.expires_at, nowMs)}`;
    case 'rotating':
      return credentialLabel(row.state, row.trouble);
    case 'due':
      return credentialLabel(row.state, row.trouble);
    case 'delivery_failing':
      return credentialLabel(row.state, row.trouble);
    case 'paused': {
      const until = row.paused?.until ?? null;
      return until === null
        ? credentialLabel(row.state, row.trouble)
        : `Paused until ${nearText(until, nowMs)}`;
    }
    case 'fine':
      return row.next_rotation_at === null
        ? credentialLabel(row.state, row.trouble)
        : `Next ${nearText(row.next_rotation_at, nowMs)}`;
    default:
      return unreachable(row.state);
  }
}

function familyStanding(row: LifelineRowOf<'family'>, nowMs: number): string {
  const endMs = (row.generations.at(-1)?.[1] ?? 0) * 1000;
  switch (row.status) {
    case 'Active':
      return row.needs_attention && endMs > nowMs
        ? `Expires in ${timeLeft(row.expires_at, nowMs)}`
        : `Expires ${nearText(endMs, nowMs)}`;
    case 'Suspended':
      return `Suspended, expires ${nearText(endMs, nowMs)}`;
    case 'Superseded':
    case 'Expired':
    case 'Blacklisted':
      return `${row.status} ${nearText(endMs, nowMs)}`;
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
      ? `since ${nearText(from * 1000, nowMs)}, expires ${nearText(until * 1000, nowMs)}`
      : `from ${nearText(from * 1000, nowMs)}, ${end} ${nearText(until * 1000, nowMs)}`;
  const past = countWords(row);
  if (row.kind === 'family')
    return `${row.name}. ${standingWords(row, nowMs)}. Token family without a credential. Token ${number} ${life}.${past}`;
  const where = row.service === 'embedded' ? 'this service' : row.origin;
  return `${row.name}. ${standingWords(row, nowMs)}. Credential of ${where}. Token ${number} ${life}.${past} ${planWords(row)}`;
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
