import type { IvrDocument } from '../../contract/ivr-draft.ts';
import { menuBody } from './body/menu-body.ts';
import { menusOf } from './edit/lines.ts';

/**
 * A short text that two call flows share only if callers meet the same in both: the menus as they would be sent, and the
 * first of them. Names of drafts, positions and scenarios do not count.
 *
 * Not for security: it tells whether a draft was changed since it was published (53 bits, so an accident is unlikely).
 */
export function fingerprintOf(document: IvrDocument): string {
  const known = fingerprints.get(document);
  if (known !== undefined) return known;
  const menus = menusOf(document)
    .map(({ id }) => [id, menuBody(document, id, String)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const fingerprint = hash(JSON.stringify([document.caller.to, menus]));
  fingerprints.set(document, fingerprint);
  return fingerprint;
}

/** Documents are immutable, and all drafts are listed whenever one is saved. */
const fingerprints = new WeakMap<IvrDocument, string>();

/** cyrb53, https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js (public domain) */
function hash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charCodeAt(place);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
