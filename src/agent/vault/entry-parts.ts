import { hash } from 'node:crypto';
import type { VaultEntry } from '../../core/vault.ts';

/**
 * A value that is too long for one entry of a keychain, in several: the parts, then the head, which commits them like one entry. The
 * parts of two values have different names, so that the old value is whole until the head is replaced.
 */
export interface EntryParts {
  readonly head: string;
  readonly parts: readonly { readonly entry: VaultEntry; readonly value: string }[];
}

/** What a head says about its parts. */
export interface PartsHead {
  readonly series: 'a' | 'b';
  readonly count: number;
  readonly digest: string;
}

const headForm = /^rotavox-parts\/1 ([ab]) (\d{1,3}) ([\w-]{43})$/;

/** Null: it is a value, and no head. */
export function readHead(value: string | null): PartsHead | null {
  const [, series, count, digest] = headForm.exec(value ?? '') ?? [];
  if (digest === undefined) return null;
  return { series: series === 'a' ? 'a' : 'b', count: Number(count), digest };
}

/** Cuts a value. `before`: the head that the entry has now. */
export function splitValue(
  entry: VaultEntry,
  value: string,
  { before, partBytes }: { readonly before: PartsHead | null; readonly partBytes: number },
): EntryParts {
  const series = before?.series === 'a' ? 'b' : 'a';
  const texts: string[] = [];
  let text = '';
  let bytes = 0;
  // By characters: each part is a text by itself.
  for (const character of value) {
    const size = Buffer.byteLength(character);
    if (bytes + size > partBytes) {
      texts.push(text);
      text = '';
      bytes = 0;
    }
    text += character;
    bytes += size;
  }
  texts.push(text);
  return {
    head: `rotavox-parts/1 ${series} ${texts.length} ${digestOf(value)}`,
    parts: texts.map((part, at) => ({ entry: partEntry(entry, series, at), value: part })),
  };
}

/** The entries of the parts that a head names. */
export function partEntries(
  entry: VaultEntry,
  { series, count }: Pick<PartsHead, 'series' | 'count'>,
): VaultEntry[] {
  return Array.from({ length: count }, (_none, at) => partEntry(entry, series, at));
}

/** The value; null where a part is missing or is another one. */
export function joinParts({ digest }: PartsHead, parts: readonly (string | null)[]): string | null {
  const value = parts.join('');
  return parts.includes(null) || digestOf(value) !== digest ? null : value;
}

/** No credential can have this name. */
function partEntry({ service, account }: VaultEntry, series: 'a' | 'b', at: number): VaultEntry {
  return { service, account: `${account} (part ${series}${at + 1})` };
}

function digestOf(value: string): string {
  return hash('sha256', value, 'base64url');
}
