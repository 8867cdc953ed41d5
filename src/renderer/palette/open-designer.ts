import { menuPath } from '../kit/address.ts';

/** Opens the phone menus, or one of them, in their own window: the one that is open already where there is one. */
export function openDesigner(id?: string): void {
  // Not `noopener`: a window without an opener has no name to be found by again.
  open(id === undefined ? '/ivr' : menuPath(id), 'rotavox-ivr');
}
