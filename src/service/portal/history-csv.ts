import type { Actor, HistoryEvent } from '../../contract/audit-event.ts';
import { resultOfEvent } from '../../core/history/result-of-event.ts';
import { harmlessCell } from './harmless-cell.ts';

const columns = ['seq', 'at', 'kind', 'subject', 'actor', 'address', 'result', 'details'] as const;

/** The first line of a history in CSV (RFC 4180). */
export const csvHeader = csvRow(columns);

/** An event as a line of CSV. `details` are the event's own fields, as JSON. */
export function csvLine({ seq, at, kind, subject, actor, data }: HistoryEvent): string {
  const result = resultOfEvent(kind);
  return csvRow([
    String(seq),
    at,
    kind,
    subject,
    nameOf(actor),
    addressOf(actor),
    result,
    JSON.stringify(data),
  ]);
}

function csvRow(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(harmlessCell(cell))).join(',')}\r\n`;
}

function nameOf(actor: Actor): string {
  return actor.kind === 'bearer' ? actor.token_id : actor.kind;
}

function addressOf(actor: Actor): string {
  return actor.kind === 'bearer' ? actor.address : '';
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
