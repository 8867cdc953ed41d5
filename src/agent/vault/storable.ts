import type { VaultEntry } from '../../core/vault.ts';
import { invariant } from '../../core/unreachable.ts';

/**
 * Asserts that an entry's name works in every vault.
 *
 * Keychains take C strings and UTF-8: a NUL would cut a name short and a lone surrogate would be replaced, so that two
 * names could become one.
 */
export function assertEntry({ service, account }: VaultEntry): void {
  invariant(isStorable(service), 'the service of a vault entry is a text, not empty, without NUL');
  invariant(isStorable(account), 'the account of a vault entry is a text, not empty, without NUL');
}

/** Asserts that every vault returns a value unchanged; an empty value would mean nothing. */
export function assertValue(value: string): void {
  invariant(isStorable(value), 'a value for the vault is a text, not empty, without NUL');
}

/** Whether every vault returns a text unchanged. */
export function isStorable(text: string): boolean {
  return text !== '' && !text.includes('\0') && text.isWellFormed();
}
