import type { VaultEntry } from '../../core/vault.ts';
import { invariant } from '../../core/unreachable.ts';

/**
 * States that an entry can be named in every vault.
 *
 * Keychains take C strings and UTF-8: a NUL would cut a name short and a lone surrogate would be replaced, so that two
 * names became one.
 */
export function assertEntry({ service, account }: VaultEntry): void {
  invariant(isStorable(service), 'the service of a vault entry is a text, not empty, without NUL');
  invariant(isStorable(account), 'the account of a vault entry is a text, not empty, without NUL');
}

/** States that a value comes back from every vault as it went in; an empty one would mean nothing. */
export function assertValue(value: string): void {
  invariant(isStorable(value), 'a value for the vault is a text, not empty, without NUL');
}

function isStorable(text: string): boolean {
  return text !== '' && !text.includes('\0') && text.isWellFormed();
}
