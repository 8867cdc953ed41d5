import type { IvrDocument } from '../../contract/menu/ivr-draft.ts';
import { menuBody } from './body/menu-body.ts';
import { menusOf } from './edit/lines.ts';

/**
 * A short text that two call flows share only if callers meet the same in both: the menus as they would be sent, opening hours
 * and messages, where calls begin, and the language that its texts are spoken in. Names of drafts, positions and scenarios do not
 * count.
 *
 * Not for security: it tells whether a draft was changed since it was published (64 bits, so an accident is unlikely).
 */
export function fingerprintOf(document: IvrDocument): string {
  const known = fingerprints.get(document);
  if (known !== undefined) return known;
  const menus = menusOf(document)
    .map(({ id }) => [id, menuBody(document, id, String)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const others = Object.values(document.nodes)
    .filter((node) => node.kind === 'hours' || node.kind === 'message')
    .map(({ place: _place, ...heard }) => heard)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const fingerprint = hash(
    JSON.stringify([
      document.caller.to,
      menus,
      ...(document.speech === undefined ? [] : [document.speech]),
      ...(others.length === 0 ? [] : [others]),
    ]),
  );
  fingerprints.set(document, fingerprint);
  return fingerprint;
}

/** Documents are immutable, and all drafts are listed whenever one is saved. */
const fingerprints = new WeakMap<IvrDocument, string>();

/** Two 32-bit FNV-1a hashes of the UTF-16 units with different first values. */
function hash(text: string): string {
  return [0x811c9dc5, 0x1000193].map((first) => fnv1a(text, first).toString(16).padStart(8, '0')).join('');
}

/** A 32-bit hash: names also use it (`export/plain-names.ts`). */
export function fnv1a(text: string, first = 0x811c9dc5): number {
  let sum = first;
  for (let place = 0; place < text.length; place += 1) {
    sum = Math.imul(sum ^ text.charCodeAt(place), 0x01000193);
  }
  return sum >>> 0;
}
