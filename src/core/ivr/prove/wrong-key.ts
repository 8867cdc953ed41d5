import { telephoneKeys } from '../edit/edit-keys.ts';

/** Whether a caller can press a key that a menu does not use: not where it uses all that a telephone has. */
export function hasWrongKey(used: (key: string) => boolean): boolean {
  return telephoneKeys.some((key) => !used(key));
}
