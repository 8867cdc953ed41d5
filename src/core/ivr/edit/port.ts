import type { NodeId } from '../../../contract/ivr-draft.ts';

/** Where a line begins: the caller, or one of a menu's ways out. A key is named by its place among the menu's keys. */
export type Port =
  | { readonly kind: 'caller' }
  | { readonly kind: 'key'; readonly menu: NodeId; readonly index: number }
  | { readonly kind: 'invalid'; readonly menu: NodeId }
  | { readonly kind: 'timeout'; readonly menu: NodeId };
