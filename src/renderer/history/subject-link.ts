import type { HistoryEvent } from '../../contract/audit-event.ts';
import { credentialPath, familyPath, menuPath } from '../kit/address.ts';

/** Where what an event is about has a page of its own: nothing for what is gone, and for what never had one. */
export function subjectLink(
  { kind, subject }: HistoryEvent,
  name: string | undefined,
): { readonly to: string; readonly words: string } | undefined {
  if (name === undefined) return undefined;
  if (kind.startsWith('token.')) return { to: familyPath(subject), words: `Token ${name}` };
  if (kind.startsWith('credential.')) return { to: credentialPath(name), words: `Credential ${name}` };
  if (kind.startsWith('ivr.')) return { to: menuPath(subject), words: `Phone menu ${name}` };
  return undefined;
}
