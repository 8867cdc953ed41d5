import { hash } from 'node:crypto';
import type { AuditEvent } from '../contract/history/audit-event.ts';
import type { JournalDamage } from '../contract/service/store-problem.ts';

/** The previous hash of the very first event. */
export const genesis = '0'.repeat(43);

const hashOpening = ',"hash":"';
const hashClosing = '"}';
const hashSuffixLength = hashOpening.length + 43 + hashClosing.length;
const prevLength = ',"prev":""'.length + 43;

/**
 * One event as one line of JSON that ends with the hash of the line before it and its own.
 *
 * The hash (SHA-256, base64url) covers every byte before `,"hash"`, the link to the previous line among them: a flipped
 * bit breaks a line, a changed or removed line breaks the chain. `batch` is the `seq` of the first event of the same
 * write: it distinguishes a torn last write from damage.
 */
export function encodeLine(event: AuditEvent, batch: number, prev: string): { line: string; head: string } {
  const { seq, at, subject, kind, actor, data, sealed } = event;
  const json = JSON.stringify({ seq, batch, subject, at, kind, actor, data, sealed });
  const body = `${json.slice(0, -1)},"prev":"${prev}"`;
  const head = hash('sha256', body, 'base64url');
  return { line: `${body},"hash":"${head}"}\n`, head };
}

/** The line's own hash when it is whole and, with `prev` given, follows that line; otherwise what is wrong. */
export function checkLine(
  line: Buffer,
  prev: string | null,
): { ok: true; head: string } | { ok: false; damage: JournalDamage } {
  const bodyLength = line.length - hashSuffixLength;
  if (bodyLength <= prevLength) return { ok: false, damage: { kind: 'not_an_event' } };
  const suffix = line.toString('latin1', bodyLength);
  const head = suffix.slice(hashOpening.length, -hashClosing.length);
  if (suffix !== `${hashOpening}${head}${hashClosing}`)
    return { ok: false, damage: { kind: 'line_end_changed' } };
  if (hash('sha256', line.subarray(0, bodyLength), 'base64url') !== head) {
    return { ok: false, damage: { kind: 'hash_differs' } };
  }
  if (prev !== null && line.toString('latin1', bodyLength - 44, bodyLength - 1) !== prev) {
    return { ok: false, damage: { kind: 'link_differs' } };
  }
  return { ok: true, head };
}

export type JournaledEvent = AuditEvent & { readonly batch: number };

/** A checked line as an event. */
export function decodeLine(line: string): JournaledEvent {
  return JSON.parse(line) as JournaledEvent;
}

/** The subject of a line without parsing it: the third field of every line. */
export function subjectOf(line: Buffer, start: number): string {
  const from = line.indexOf('"subject":"', start, 'latin1') + '"subject":"'.length;
  return line.toString('latin1', from, line.indexOf(0x22, from));
}

/** A line without its links, which have the same length in all lines: the event itself. */
export function withoutLinks(line: string): string {
  return line.slice(0, -prevLength - hashSuffixLength);
}

/** The same of a line that was read as text. No field before these can have a quote in it. */
export function subjectOfText(line: string): string {
  return fieldOf(line, '"subject":"');
}

export function atOfText(line: string): string {
  return fieldOf(line, '"at":"');
}

export function kindOfText(line: string): string {
  return fieldOf(line, '"kind":"');
}

function fieldOf(line: string, opening: string): string {
  const from = line.indexOf(opening) + opening.length;
  return line.slice(from, line.indexOf('"', from));
}
