import type { Attention } from '../../contract/attention.ts';
import { unreachable } from '../unreachable.ts';

/** Whom the things that need the owner are about. */
export interface Attentive {
  /** Names. */
  readonly credentials: ReadonlySet<string>;
  /** Ids. */
  readonly families: ReadonlySet<string>;
}

export function attentiveOf(items: readonly Attention[]): Attentive {
  const credentials = new Set<string>();
  const families = new Set<string>();
  for (const item of items) {
    switch (item.kind) {
      case 'credential':
      case 'paused_ends':
      case 'reminder':
      case 'delivery':
        credentials.add(item.name);
        break;
      case 'failing':
        for (const { name } of item.credentials) credentials.add(name);
        break;
      case 'vault':
        for (const { name } of item.waiting) credentials.add(name);
        break;
      case 'reuse':
        if (item.credential !== null) credentials.add(item.credential);
        families.add(item.family_id);
        break;
      case 'ends_unkept':
      case 'suspended_ends':
        families.add(item.family_id);
        break;
      case 'store_refusing':
      case 'journal_repaired':
        break; // about everything
      default:
        unreachable(item);
    }
  }
  return { credentials, families };
}
